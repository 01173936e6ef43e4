// The way to a page: from hop to hop, and each is looked at as if it were the first.

import { type Destination, destinationOf } from './destination.ts'
import type { Pace } from './host-limiter.ts'
import { type Answer, type Asking, exchange } from './http-request.ts'
import { PageRefused, type WebRules, type World } from './page.ts'
import { headerOf } from './page-content.ts'
import { type Allowance, within } from './time-budget.ts'

export type Errand<T> = {
  readonly rules: WebRules
  readonly accept: string
  readonly signal: AbortSignal
  /** Refuses where we are not wanted; else how long to leave between two requests to that host. */
  readonly admit: (to: Destination, signal: AbortSignal) => Promise<number>
  readonly read: (answer: Answer) => Promise<T>
}
export type Arrival<T> = { readonly found: T; readonly url: URL; readonly redirects: number }
type Left = { readonly patience: Allowance; readonly page: Allowance }

const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export async function travel<T>(
  address: string,
  errand: Errand<T>,
  { world, pace }: { world: World; pace: Pace },
): Promise<Arrival<T>> {
  const border = { allow: errand.rules.allow, ports: world.ports }
  const left = { patience: { leftMs: world.limits.patienceMs }, page: { leftMs: world.limits.pageMs } }
  const visited = new Set<string>()
  let to = destinationOf(address, border)
  for (let redirects = 0; redirects <= REDIRECTS_MAX && !visited.has(to.url.href); redirects++) {
    visited.add(to.url.href)
    const leave = await turnAt(to, errand, pace, left)
    const outcome = await visit(to, errand, world, left).finally(leave)
    if ('found' in outcome) return { found: outcome.found, url: to.url, redirects }
    to = destinationOf(outcome.location, border, to.url)
  }
  throw new PageRefused('too_many_redirects')
}

function turnAt<T>(to: Destination, errand: Errand<T>, pace: Pace, left: Left): Promise<() => void> {
  return within(left.patience, errand.signal, async (signal) => {
    const delayMs = await errand.admit(to, signal)
    // The operator's own hosts are not spared: who allows them wants them read.
    return pace.enter({ host: to.host, delayMs, isSpared: !to.isOwn, signal })
  })
}

function visit<T>(
  to: Destination,
  { rules: { userAgent }, accept, signal, read }: Errand<T>,
  world: World,
  left: Left,
): Promise<{ location: string } | { found: T }> {
  const asking: Asking = { userAgent, accept }
  return within(left.page, signal, (either) =>
    exchange(to, asking, world, either, async (answer) => {
      const location = REDIRECTS.has(answer.status) ? headerOf(answer.headers, 'location') : ''
      return location ? { location } : { found: await read(answer) }
    }),
  )
}
