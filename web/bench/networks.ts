// Load times on the networks of our users: until the first paint and until the app is usable.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { slowDown } from '../test/browser.ts'
import { STAFF } from './environment.ts'

export type Network = { name: string; kbps: number; latencyMs: number; slowerCpu: number; usableMs: number }

export const NETWORKS: readonly Network[] = [
  { name: 'slow 3G', kbps: 400, latencyMs: 400, slowerCpu: 4, usableMs: 4_000 },
  { name: '2G', kbps: 280, latencyMs: 800, slowerCpu: 4, usableMs: 7_000 },
  { name: 'EDGE', kbps: 150, latencyMs: 1_000, slowerCpu: 4, usableMs: 10_000 },
]

export type Visit = { paintedMs: number; usableMs: number; bytes: number; requests: number; shift: number }

/** The first visit of a new user and of a member, and the member's second visit, each in a new browser profile. */
export async function visits(
  browser: Browser,
  origin: string,
  network: Network,
): Promise<{ stranger: Visit; member: Visit; again: Visit }> {
  const stranger = await inContext(browser, async (context) =>
    visit(context, network, `${origin}/app/sign-in`, '#email'),
  )
  return inContext(browser, async (context) => {
    await context.request.post(`${origin}/auth/dev-login`, { data: { email: STAFF }, headers: { origin } })
    const member = await visit(context, network, `${origin}/app`, '[data-testid=meter]')
    const again = await visit(context, network, `${origin}/app`, '[data-testid=meter]')
    return { stranger, member, again }
  })
}

async function inContext<T>(browser: Browser, work: (context: BrowserContext) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-NG' })
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

async function visit(
  context: BrowserContext,
  network: Network,
  address: string,
  usable: string,
): Promise<Visit> {
  const page = await context.newPage()
  const wire = await count(page, network)
  await page.addInitScript(
    `window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value }).observe({ type: 'layout-shift', buffered: true })`,
  )
  const begun = performance.now()
  await page.goto(address, { waitUntil: 'commit', timeout: 60_000 })
  await page.locator(usable).first().waitFor({ timeout: 60_000 })
  const usableMs = performance.now() - begun
  await page.waitForLoadState('networkidle')
  const paintedMs = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  )
  const shift = await page.evaluate<number>('window.shifted')
  await page.close()
  return { paintedMs, usableMs, ...wire, shift }
}

/** Counts transferred bytes from now on. */
async function count(page: Page, network: Network): Promise<{ bytes: number; requests: number }> {
  const wire = { bytes: 0, requests: 0 }
  const session = await slowDown(page, network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: network.slowerCpu })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    wire.bytes += encodedDataLength
    if (encodedDataLength > 0) wire.requests++
  })
  return wire
}
