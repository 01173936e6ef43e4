// When to try again, and when to leave an endpoint in peace.
import { after, before, type Duration, toMs } from '../../kernel/clock.ts'

/** The pauses after the first failed attempt, the second, and so on: ten attempts in a little more than three days. */
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
// Those that failed together do not come back together.
const JITTER = 0.1

/** The next attempt after so many have failed; null when that was the last. `random` is from 0 to 1. */
export function nextAttemptAt(attempts: number, now: Date, random: number): Date | null {
  const pause = PAUSES[attempts - 1]
  return pause ? after(now, { ms: toMs(pause) * (1 + JITTER * random) }) : null
}

/** What was not delivered by then, because its endpoint had no turn for it, has run out of time. Longer than all pauses. */
export const DELIVERY_HOURS_MAX = 84

const STRIKES_BEFORE_QUIET = 3
const FIRST_QUIET_MS = 5_000
const QUIET_MS_MAX = toMs({ minutes: 15 })

/**
 * Until when an endpoint that failed so often in a row is not called at all, so that a silent one does not keep workers waiting
 * for each of its deliveries. Shorter than the pauses of a delivery by then: one alone never notices.
 */
export function quietUntil(strikes: number, now: Date): Date | null {
  const doublings = strikes - STRIKES_BEFORE_QUIET
  if (doublings < 0) return null
  return after(now, { ms: Math.min(QUIET_MS_MAX, FIRST_QUIET_MS * 2 ** Math.min(doublings, 20)) })
}

const FAILING_DAYS = 5
const FAILURES_MIN = 10

/** Whether an endpoint has failed for so long that it is disabled. A few failures with days between them are not enough. */
export const shouldDisable = (failingSince: Date, failures: number, now: Date): boolean =>
  failures >= FAILURES_MIN && failingSince <= before(now, { days: FAILING_DAYS })
