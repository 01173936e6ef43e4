// `npm run screens`: screenshots of every screen and public page at 360, 768, 1280 and 1920 pixels, light and dark, in
// web/.cache/screens. `npm run screens -- wallet ar` draws only paths that match a pattern, in a language.
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../test/browser.ts'
import { openEnvironment, STAFF } from './environment.ts'
import { paperPaths, seed } from './seed.ts'
import { isWayIn, pathsOfApp, pathsWithoutExample } from './table.ts'

const OUT = fileURLToPath(new URL('../.cache/screens/', import.meta.url))
const WIDTHS = [
  [360, 740],
  [768, 1024],
  [1280, 800],
  [1920, 1080],
] as const
const MODES = ['light', 'dark'] as const
const [only = '', language = 'en'] = process.argv.slice(2)
/** One page of each kind in the documentation, and a page that does not exist. */
const MORE_PAGES = ['/docs/guides/top-up', '/docs/api/wallet', '/docs/api/errors', '/app/nowhere']

/** Ids and references, which differ from run to run. */
const ID = /[a-z]+_?[0-9a-z]{26}/g

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
const place = await openEnvironment()
const browser = await openBrowser()
const faults: string[] = []
let taken = 0
try {
  const examples = await seed(place.origin)
  const wanted = (path: string) => new RegExp(only).test(path)
  const members = [...pathsOfApp(), ...examples, ...pathsWithoutExample(examples)].filter(wanted)
  const visitors = [...members.filter(isWayIn), ...(await publicPaths()), ...MORE_PAGES].filter(wanted)
  const papers = (await paperPaths(place.origin)).filter(wanted)
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
      await visit(context, visitors, `${width}-${mode}`)
      await signIn(context, place.origin, STAFF)
      await visit(context, [...members.filter((path) => !isWayIn(path)), ...papers], `${width}-${mode}`)
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
    // An unknown id is not found.
    if (message.type() === 'error' && !at.endsWith('/unknown'))
      faults.push(`${name} ${at}: ${message.text()}`)
  })
  for (const path of paths) {
    at = path
    await page.goto(`${place.origin}${path}`)
    await atRest(page)
    const wider = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (wider > 0) faults.push(`${name} ${at}: ${wider} pixels too wide`)
    const file =
      path
        .slice(1)
        .replaceAll(/[/?=&]/g, '_')
        .replaceAll(ID, 'example') || 'front'
    await page.screenshot({ path: `${OUT}${file}-${name}.png`, fullPage: true })
    taken++
  }
  await page.close()
}

/** The public pages of the sitemap, without their other languages. */
async function publicPaths(): Promise<string[]> {
  const sitemap = await (await fetch(`${place.origin}/sitemap.xml`)).text()
  const found = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
  return [...new Set(found)]
}

async function atRest(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ timeout: 15_000 })
  const busy = page.locator('[aria-busy="true"]').first()
  await busy.waitFor({ state: 'detached', timeout: 15_000 }).catch(() => {
    faults.push(`${page.url()} never comes to rest`)
  })
}

async function signIn(context: BrowserContext, origin: string, email: string): Promise<void> {
  await context.request.post(`${origin}/auth/dev-login`, { data: { email }, headers: { origin } })
}
