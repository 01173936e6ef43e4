// Circuit breakers of routes, in the memory of this replica.
import { type Clock, toMs } from '../../kernel/clock.ts'

const FAILURES_MAX = 3
const FIRST_PAUSE_MS = toMs({ seconds: 5 })
const PAUSE_MAX_MS = toMs({ seconds: 60 })
/** A call without a reported outcome ends its trial after this time: the caller has disconnected. */
const CALL_MS = toMs({ seconds: 60 })
/** Only failing routes have an entry. Above this number the oldest is forgotten. */
const ROUTES_MAX = 10_000

/**
 * `closed`: calls pass. `open`: calls go elsewhere. `trial`: the pause is over, and the next call decides whether the
 * circuit closes.
 */
export type BreakerState = 'closed' | 'open' | 'trial'

type RouteFailures = { failures: number; pauseMs: number; openUntilMs: number; trialUntilMs: number }

export class RouteBreakers {
  readonly #clock: Clock
  readonly #routes = new Map<string, RouteFailures>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  stateOf(key: string): BreakerState {
    const route = this.#routes.get(key)
    if (!route || route.openUntilMs === 0) return 'closed'
    const nowMs = this.#clock.now().getTime()
    return nowMs < route.openUntilMs || nowMs < route.trialUntilMs ? 'open' : 'trial'
  }

  /**
   * The call starts. Other calls see the circuit as open until its outcome is reported. Choosing a route reserves nothing,
   * because counts of tokens and quotes choose one as well and would take the trial from calls.
   */
  started(key: string): void {
    const route = this.#routes.get(key)
    if (!route || route.openUntilMs === 0) return
    const nowMs = this.#clock.now().getTime()
    // A call during the pause, because no other route was left, is no trial.
    if (nowMs >= route.openUntilMs) route.trialUntilMs = nowMs + CALL_MS
  }

  /** True when this closes an open circuit. */
  succeeded(key: string): boolean {
    const route = this.#routes.get(key)
    if (!route) return false
    this.#routes.delete(key)
    return route.openUntilMs > 0
  }

  /** True when this opens the circuit, or opens it again after a trial. A rejected account opens it at once. */
  failed(key: string, isRejected: boolean): boolean {
    const route = this.#routes.get(key) ?? this.#add(key)
    const nowMs = this.#clock.now().getTime()
    route.failures++
    // Calls that were already running when the circuit opened do not extend the pause.
    if (nowMs < route.openUntilMs) return false
    const isTrial = route.openUntilMs > 0
    if (!isTrial && !isRejected && route.failures < FAILURES_MAX) return false
    route.pauseMs = route.pauseMs === 0 ? FIRST_PAUSE_MS : Math.min(PAUSE_MAX_MS, route.pauseMs * 2)
    route.openUntilMs = nowMs + route.pauseMs
    route.trialUntilMs = 0
    return true
  }

  /** Closes the circuits of a provider whose address or key has changed. */
  forget(isConcerned: (key: string) => boolean): void {
    for (const key of [...this.#routes.keys()].filter(isConcerned)) this.#routes.delete(key)
  }

  /** The routes whose circuit is not closed. */
  openRoutes(): string[] {
    return [...this.#routes].filter(([, { openUntilMs }]) => openUntilMs > 0).map(([key]) => key)
  }

  #add(key: string): RouteFailures {
    const [oldest] = this.#routes.keys()
    if (this.#routes.size >= ROUTES_MAX && oldest !== undefined) this.#routes.delete(oldest)
    const route = { failures: 0, pauseMs: 0, openUntilMs: 0, trialUntilMs: 0 }
    this.#routes.set(key, route)
    return route
  }
}
