// A real browser for tests. Without one they fail: a page that nobody opened is not tested.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Each process costs a tenth of a second of both cores: none is started in advance, none for pixels that nobody sees.
  '--renderer-process-limit=1',
  '--in-process-gpu',
]

/** For `expect.poll`: a page on a busy machine takes its time. */
export const PATIENT = {
  get timeout(): number {
    return scaledTimeout(10_000)
  },
}

export function openBrowser(...flags: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...FLAGS, ...flags] })
}

/** A page of its own, and everything that went wrong on it: errors, broken policy, requests to elsewhere. */
export type OpenedPage = { page: Page; faults: string[]; close(): Promise<void> }

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    locale: 'en-NG',
    baseURL: origin,
    // What moves is drawn sixty times a second; tests of motion ask for it.
    reducedMotion: 'reduce',
    // What a worker fetches does not pass by the tests' own answers; the tests of the worker ask for it.
    serviceWorkers: 'block',
    ...options,
  })
  // Shorter than a test may take, so that what is missing is named.
  context.setDefaultTimeout(scaledTimeout(15_000))
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('Service Worker registration blocked')) return
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.push(`elsewhere: ${url}`)
  })
  // Some broken rules are caught by the script that broke them and never reach the console; the event always comes.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  )
  await page.addInitScript(
    `window.shifted = 0; window.shifts = new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value }); shifts.observe({ type: 'layout-shift', buffered: true })`,
  )
  return { page, faults, close: () => context.close() }
}

/** How much moved without anyone touching it, as browsers count it. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate<number>('window.shifted')

/** What has moved until now answered a press: browsers believe that for half a second only, however long the answer takes. */
export async function forgetShift(page: Page): Promise<void> {
  await page.evaluate(DRAWN)
  await page.evaluate('shifts.takeRecords(); window.shifted = 0')
}

/**
 * By how many pixels the page is wider than its screen. Compared with the screen itself: the window of a phone grows with a
 * page that is too wide.
 */
export async function overflowOf(page: Page): Promise<number> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  return Math.max(0, width - (page.viewportSize()?.width ?? width))
}

/** As on a network of the given speed; latency is added to every request. */
export async function slowDown(
  page: Page,
  { kbps, latencyMs }: { kbps: number; latencyMs: number },
): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: (kbps * 1_000) / 8,
    uploadThroughput: (kbps * 1_000) / 8,
  })
  return session
}

/** What a screen still does when it has been drawn, such as to move the focus, is done after this. */
const DRAWN =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

/** Presses a key on a control as soon as it can be used: one that is still disabled would swallow it without a word. */
export const pressOn = (control: Locator, key: 'Enter' | ' ' = 'Enter'): Promise<void> =>
  control.and(control.page().locator(':not(:disabled)')).press(key)

/** Presses Tab until something is true of the page, as somebody without a pointer does. */
export async function tabTo(page: Page, isThere: string): Promise<void> {
  await page.evaluate(DRAWN)
  for (let press = 0; press < 40; press++) {
    if (await page.evaluate<boolean>(isThere)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`40 presses of Tab do not lead to: ${isThere}`)
}

export function findChromium(): string {
  // The first has no windows and opens pages in a fraction of the time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (!found)
    throw new Error(
      'NO BROWSER: Chromium is not installed, so no page can be tested. Install it (apt-get install chromium-headless-shell); `npm test` does so where it may.',
    )
  return found
}
