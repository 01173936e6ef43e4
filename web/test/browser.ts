// A real browser for tests. Without one they fail, because an unopened page is not tested.
import { findChromium } from '@cowrie/testkit/harness/chromium.ts'
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
  // Each process needs a tenth of a second of CPU time, so no spare or GPU process is started.
  '--renderer-process-limit=1',
  '--in-process-gpu',
]

const STARTS = 3

/** For `expect.poll`: pages are slow on a busy machine. */
export const PATIENT = {
  get timeout(): number {
    return scaledTimeout(10_000)
  },
}

/** Chromium sometimes crashes while it starts, before it opens a page. It is started again, and the crash is printed. */
export async function openBrowser(...flags: string[]): Promise<Browser> {
  const options = { executablePath: findChromium(), args: [...FLAGS, ...flags] }
  for (let attempt = 1; ; attempt++) {
    try {
      return await chromium.launch(options)
    } catch (error) {
      if (attempt === STARTS) throw error
      process.stderr.write(`Chromium did not start (attempt ${attempt} of ${STARTS}): ${reasonOf(error)}\n`)
    }
  }
}

const reasonOf = (error: unknown): string =>
  /Segmentation fault|exitCode=\d+|Timeout \d+ms/.exec(String(error))?.[0] ?? String(error).slice(0, 300)

/** A separate page with all its problems: errors, policy violations, requests to other hosts. */
export type OpenedPage = { page: Page; faults: string[]; close(): Promise<void> }

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    locale: 'en-NG',
    baseURL: origin,
    // Motion is off, because it redraws sixty times a second. Tests of motion turn it on.
    reducedMotion: 'reduce',
    // Service workers bypass mocked answers, so they are blocked. Tests of the worker allow them.
    serviceWorkers: 'block',
    ...options,
  })
  // Shorter than the test timeout, so that the missing element is named.
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
  // Some policy violations are caught by the script and never reach the console; the event is always fired.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  )
  await page.addInitScript(
    `window.shifted = 0; window.shifts = new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value }); shifts.observe({ type: 'layout-shift', buffered: true })`,
  )
  return { page, faults, close: () => context.close() }
}

/** The layout shift without user input, as browsers measure it. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate<number>('window.shifted')

/** Ignores earlier layout shifts as reactions to input: browsers do so only for half a second. */
export async function forgetShift(page: Page): Promise<void> {
  await page.evaluate(DRAWN)
  await page.evaluate('shifts.takeRecords(); window.shifted = 0')
}

/**
 * The number of pixels by which the page is wider than its screen. Compared with the screen, because the viewport of a phone
 * grows with a page that is too wide.
 */
export async function overflowOf(page: Page): Promise<number> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  return Math.max(0, width - (page.viewportSize()?.width ?? width))
}

/** Simulates a network of this speed. Latency is added to every request. */
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

/** Waits until a rendered screen has finished effects such as moving the focus. */
const DRAWN =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

/** Presses a key on a control once it is enabled: a disabled one would ignore it. */
export const pressOn = (control: Locator, key: 'Enter' | ' ' = 'Enter'): Promise<void> =>
  control.and(control.page().locator(':not(:disabled)')).press(key)

/** Presses Tab until the condition is true, like a keyboard user. */
export async function tabTo(page: Page, isThere: string): Promise<void> {
  await page.evaluate(DRAWN)
  for (let press = 0; press < 40; press++) {
    if (await page.evaluate<boolean>(isThere)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`40 presses of Tab do not lead to: ${isThere}`)
}
