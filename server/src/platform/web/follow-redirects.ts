// Follows redirects. Every hop passes the same checks as the first.

import { type Destination, parseDestination } from './destination.ts'
import type { HostLimiter } from './host-limiter.ts'
import { type RequestHeaders, sendRequest, type WebResponse } from './http-request.ts'
import { PageRefused, type WebEnvironment, type WebRules } from './page.ts'
import { headerOf } from './page-content.ts'
import { runWithin, type TimeBudget } from './time-budget.ts'

export type PageRequest<T> = {
  readonly rules: WebRules
  readonly accept: string
  readonly signal: AbortSignal
  /** The delay between two requests to the host. Throws when robots.txt forbids the page. */
  readonly admit: (to: Destination, signal: AbortSignal) => Promise<number>
  readonly read: (answer: WebResponse) => Promise<T>
}
export type RedirectResult<T> = { readonly found: T; readonly url: URL; readonly redirects: number }
type Left = { readonly patience: TimeBudget; readonly page: TimeBudget }

const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export async function followRedirects<T>(
  address: string,
  errand: PageRequest<T>,
  { world, pace }: { world: WebEnvironment; pace: HostLimiter },
): Promise<RedirectResult<T>> {
  const border = { allow: errand.rules.allow, ports: world.ports }
  const left = { patience: { leftMs: world.limits.queueMs }, page: { leftMs: world.limits.pageMs } }
  const visited = new Set<string>()
  let to = parseDestination(address, border)
  for (let redirects = 0; redirects <= REDIRECTS_MAX && !visited.has(to.url.href); redirects++) {
    visited.add(to.url.href)
    const leave = await waitForTurn(to, errand, pace, left)
    const outcome = await requestPage(to, errand, world, left).finally(leave)
    if ('found' in outcome) return { found: outcome.found, url: to.url, redirects }
    to = parseDestination(outcome.location, border, to.url)
  }
  throw new PageRefused('too_many_redirects')
}

function waitForTurn<T>(
  to: Destination,
  errand: PageRequest<T>,
  pace: HostLimiter,
  left: Left,
): Promise<() => void> {
  return runWithin(left.patience, errand.signal, async (signal) => {
    const delayMs = await errand.admit(to, signal)
    // Allowlisted hosts have no limit per host.
    return pace.acquire({ host: to.host, delayMs, isThrottled: !to.isAllowlisted, signal })
  })
}

function requestPage<T>(
  to: Destination,
  { rules: { userAgent }, accept, signal, read }: PageRequest<T>,
  world: WebEnvironment,
  left: Left,
): Promise<{ location: string } | { found: T }> {
  const asking: RequestHeaders = { userAgent, accept }
  return runWithin(left.page, signal, (either) =>
    sendRequest(to, asking, world, either, async (answer) => {
      const location = REDIRECTS.has(answer.status) ? headerOf(answer.headers, 'location') : ''
      return location ? { location } : { found: await read(answer) }
    }),
  )
}
