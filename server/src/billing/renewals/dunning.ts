// The dunning schedule: when an unpaid renewal is retried and when it ends. Pure functions.
import { after, type Duration } from '../../kernel/clock.ts'

/** Days after the start of the unpaid period. */
export const ATTEMPT_DAYS = [0, 1, 3, 5] as const
export const DECLINES_MAX = ATTEMPT_DAYS.length

/** Applies to an unanswered charge, which is not a decline, and to an attempt that crashed. */
export const RETRY_AFTER: Duration = { hours: 1 }
/** An attempt locks its bill for this long. Must exceed the time to charge all cards of an organisation. */
export const ATTEMPT_LOCK: Duration = { minutes: 10 }
/** An unanswered renewal keeps the subscription active for this long after its bill was created. */
export const ACTIVE_WITHOUT_ANSWER: Duration = { days: 3 }
/** After this long without a decision, for any reason, the subscription ends. */
export const UNDECIDED_MAX: Duration = { days: 14 }
/** How long the last attempt may wait for a confirmation at the bank. */
export const FINAL_CHALLENGE_WAIT: Duration = { days: 1 }

/** An attempt this overdue was missed. Must exceed `FINAL_CHALLENGE_WAIT`, which does not reschedule. */
export const MISSED_AFTER: Duration = { days: 2 }

export type DeclineState = {
  /** The start of the unpaid period. */
  readonly periodStart: Date
  readonly declines: number
}

export type DunningDecision =
  | { readonly do: 'retry'; readonly declines: number; readonly at: Date }
  | { readonly do: 'end' }

/**
 * Decides after a decline. A decline before the next scheduled day, after a new card was stored, does not count as
 * one of the four attempts.
 */
export function afterDecline({ periodStart, declines }: DeclineState, now: Date): DunningDecision {
  const due = attemptDate(periodStart, declines)
  if (now < due) return { do: 'retry', declines, at: due }
  if (declines + 1 >= DECLINES_MAX) return { do: 'end' }
  return { do: 'retry', declines: declines + 1, at: nextAttempt(periodStart, declines + 1, now) }
}

/** A challenge by the bank counts as an attempt. After the last one the customer has one more day. */
export function afterChallenge(state: DeclineState, now: Date): Extract<DunningDecision, { do: 'retry' }> {
  const decision = afterDecline(state, now)
  return decision.do === 'end'
    ? { do: 'retry', declines: DECLINES_MAX, at: after(now, FINAL_CHALLENGE_WAIT) }
    : decision
}

/** The scheduled day. After a late attempt, for example after downtime, keeps the same pause instead. */
function nextAttempt(periodStart: Date, declines: number, now: Date): Date {
  const onItsDay = attemptDate(periodStart, declines)
  const pauseHours = 24 * (dayOf(declines) - dayOf(declines - 1))
  const isSoon = onItsDay < after(now, { hours: pauseHours / 2 })
  return isSoon ? after(now, { hours: pauseHours }) : onItsDay
}

const attemptDate = (periodStart: Date, declines: number): Date =>
  after(periodStart, { days: dayOf(declines) })
const dayOf = (index: number): number => ATTEMPT_DAYS[Math.min(Math.max(index, 0), DECLINES_MAX - 1)] ?? 0
