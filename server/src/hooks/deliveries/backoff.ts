// Retry delays of deliveries, and quiet periods of failing endpoints.
import { after, before, type Duration, toMs } from '../../kernel/clock.ts'

/** Delays after each failed attempt: ten attempts in slightly more than three days. */
const PAUSES: readonly Duration[] = [
  { seconds: 5 },
  { minutes: 5 },
  { minutes: 30 },
  { hours: 2 },
  { hours: 5 },
  { hours: 10 },
  { hours: 14 },
  { hours: 20 },
  { hours: 24 },
]
export const ATTEMPTS_MAX = PAUSES.length + 1
// Spreads the retries of deliveries that failed together.
const JITTER = 0.1

/** The time of the next attempt after `attempts` failures; null after the last. `random` is from 0 to 1. */
export function nextAttemptAt(attempts: number, now: Date, random: number): Date | null {
  const pause = PAUSES[attempts - 1]
  return pause ? after(now, { ms: toMs(pause) * (1 + JITTER * random) }) : null
}

/** A delivery that still waits for its endpoint then fails. Longer than the sum of all delays. */
export const DELIVERY_HOURS_MAX = 84

const STRIKES_BEFORE_QUIET = 3
const FIRST_QUIET_MS = 5_000
const QUIET_MS_MAX = toMs({ minutes: 15 })

/**
 * End of the quiet period after consecutive failures, during which an endpoint is not called, so that an unresponsive one
 * does not block workers. Shorter than the retry delays at that point, so it never delays a single delivery.
 */
export function quietUntil(strikes: number, now: Date): Date | null {
  const doublings = strikes - STRIKES_BEFORE_QUIET
  if (doublings < 0) return null
  return after(now, { ms: Math.min(QUIET_MS_MAX, FIRST_QUIET_MS * 2 ** Math.min(doublings, 20)) })
}

const FAILING_DAYS = 5
const FAILURES_MIN = 10

/** Whether an endpoint has failed long enough to be disabled. A few failures over several days are not enough. */
export const shouldDisable = (failingSince: Date, failures: number, now: Date): boolean =>
  failures >= FAILURES_MIN && failingSince <= before(now, { days: FAILING_DAYS })
