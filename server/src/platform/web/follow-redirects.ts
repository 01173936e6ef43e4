// Follows redirects. Every hop passes the same checks as the first.
import { type Destination, parseDestination } from './destination.ts'
import type { HostLimiter } from './host-limiter.ts'
import { type RequestHeaders, sendRequest, type WebResponse } from './http-request.ts'
import { PageRefused, type WebRules } from './page.ts'
import { headerOf } from './page-content.ts'
import { runWithin, type TimeBudget } from './time-budget.ts'
import type { WebEnvironment } from './web-environment.ts'

export type PageRequest<T> = {
  readonly rules: WebRules
  readonly accept: string
  readonly signal: AbortSignal
  /** The delay between two requests to the host. Throws when robots.txt forbids the page. */
  readonly admit: (to: Destination, signal: AbortSignal) => Promise<number>
  readonly read: (response: WebResponse) => Promise<T>
}
export type RedirectResult<T> = { readonly content: T; readonly url: URL; readonly redirects: number }
type FetchContext = { readonly environment: WebEnvironment; readonly limiter: HostLimiter }
type Budgets = { readonly queue: TimeBudget; readonly page: TimeBudget }

const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export async function followRedirects<T>(
  address: string,
  request: PageRequest<T>,
  { environment, limiter }: FetchContext,
): Promise<RedirectResult<T>> {
  const { limits, ports } = environment
  const rules = { allow: request.rules.allow, ports }
  const budgets = { queue: { leftMs: limits.queueMs }, page: { leftMs: limits.pageMs } }
  const visited = new Set<string>()
  let to = parseDestination(address, rules)
  for (let redirects = 0; redirects <= REDIRECTS_MAX && !visited.has(to.url.href); redirects++) {
    visited.add(to.url.href)
    const release = await waitForTurn(to, request, limiter, budgets)
    const outcome = await requestPage(to, request, environment, budgets).finally(release)
    if ('content' in outcome) return { content: outcome.content, url: to.url, redirects }
    to = parseDestination(outcome.location, rules, to.url)
  }
  throw new PageRefused('too_many_redirects')
}

function waitForTurn<T>(
  to: Destination,
  request: PageRequest<T>,
  limiter: HostLimiter,
  budgets: Budgets,
): Promise<() => void> {
  return runWithin(budgets.queue, request.signal, async (signal) => {
    const delayMs = await request.admit(to, signal)
    return limiter.acquire({ host: to.host, delayMs, isThrottled: !to.isAllowlisted, signal })
  })
}

function requestPage<T>(
  to: Destination,
  { rules: { userAgent }, accept, signal, read }: PageRequest<T>,
  environment: WebEnvironment,
  budgets: Budgets,
): Promise<{ location: string } | { content: T }> {
  const headers: RequestHeaders = { userAgent, accept }
  return runWithin(budgets.page, signal, (either) =>
    sendRequest(to, headers, environment, either, async (response) => {
      const location = REDIRECTS.has(response.status) ? headerOf(response.headers, 'location') : ''
      return location ? { location } : { content: await read(response) }
    }),
  )
}
