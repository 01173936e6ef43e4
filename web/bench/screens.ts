// `npm run screens`: screenshots of every screen at 360, 768, 1280 and 1920 pixels, light and dark, in web/.cache/screens.
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../test/browser.ts'
import { openEnvironment, STAFF } from './environment.ts'
import { seed } from './seed.ts'
import { isWayIn, pathsOfApp } from './table.ts'

const OUT = fileURLToPath(new URL('../.cache/screens/', import.meta.url))
const WIDTHS = [
  [360, 740],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const
const MODES = ['light', 'dark'] as const
const [only = '', language = 'en'] = process.argv.slice(2)

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
const place = await openEnvironment()
const browser = await openBrowser()
const faults: string[] = []
let taken = 0
try {
  const ids = await seed(place.origin)
  const paths = [...pathsOfApp(), ...ids].filter((path) => path.includes(only))
  for (const [width, height] of WIDTHS)
    for (const mode of MODES) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: mode,
        locale: language === 'en' ? 'en-NG' : language,
        reducedMotion: 'reduce',
        hasTouch: width < 900,
        isMobile: width < 900,
      })
      // As on a later visit, with the display face.
      await context.addInitScript("localStorage.setItem('cowrie.face', 'cached')")
      await visit(context, paths.filter(isWayIn), `${width}-${mode}`)
      await signIn(context, place.origin, STAFF)
      await visit(
        context,
        paths.filter((path) => !isWayIn(path)),
        `${width}-${mode}`,
      )
      await context.close()
    }
} finally {
  await browser.close()
  await place.close()
}
process.stdout.write(`${taken} pictures in web/.cache/screens\n`)
for (const fault of faults) process.stdout.write(`!! ${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

async function visit(context: BrowserContext, paths: readonly string[], name: string): Promise<void> {
  const page = await context.newPage()
  let at = ''
  page.on('pageerror', (error) => faults.push(`${name} ${at}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${name} ${at}: ${message.text()}`)
  })
  for (const path of paths) {
    at = path
    await page.goto(`${place.origin}${path}`)
    await atRest(page)
    const wider = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (wider > 0) faults.push(`${name} ${at}: ${wider} pixels too wide`)
    await page.screenshot({ path: `${OUT}${path.slice(1).replaceAll('/', '_')}-${name}.png`, fullPage: true })
    taken++
  }
  await page.close()
}

async function atRest(page: Page): Promise<void> {
  await page.locator('#screen-title').waitFor({ timeout: 15_000 })
  const busy = page.locator('[aria-busy="true"]').first()
  await busy.waitFor({ state: 'detached', timeout: 15_000 }).catch(() => {
    faults.push(`${page.url()} never comes to rest`)
  })
}

async function signIn(context: BrowserContext, origin: string, email: string): Promise<void> {
  await context.request.post(`${origin}/auth/dev-login`, { data: { email }, headers: { origin } })
}
