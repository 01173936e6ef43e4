// When an unpaid renewal is tried again, and when it is given up. Nothing is read or written here.
import { after, type Duration } from '../../kernel/clock.ts'

/** Tries lie on these days after the period that they pay for began. */
export const ATTEMPT_DAYS = [0, 1, 3, 5] as const
export const DECLINES_MAX = ATTEMPT_DAYS.length

/** No answer from the provider is no decline: it is asked again after this, and so is a try that died. */
export const RETRY_AFTER: Duration = { hours: 1 }
/** For so long nobody else tries the bill. Longer than all cards of an organisation take. */
export const ATTEMPT_LOCK: Duration = { minutes: 10 }
/** Without any answer the subscription stays active for so long, counted from its bill. */
export const ACTIVE_WITHOUT_ANSWER: Duration = { days: 3 }
/** Without a decision for so long, whatever kept it away, the subscription ends. */
export const UNDECIDED_MAX: Duration = { days: 14 }
/** The last try may wait for the payer at their bank: for so long. */
export const FINAL_CHALLENGE_WAIT: Duration = { days: 1 }

/** A try that was due for so long was missed. Longer than a last word is waited for, which moves nothing. */
export const MISSED_AFTER: Duration = { days: 2 }

export type DeclineState = {
  /** When the period began that is to be paid. */
  readonly periodStart: Date
  readonly declines: number
}

export type DunningDecision =
  | { readonly do: 'try_again'; readonly declines: number; readonly at: Date }
  | { readonly do: 'end' }

/**
 * What a decline means. One that comes before the day of the next try, because a new card was stored meanwhile, costs
 * the customer none of the four.
 */
export function afterDecline({ periodStart, declines }: DeclineState, now: Date): DunningDecision {
  const due = attemptDate(periodStart, declines)
  if (now < due) return { do: 'try_again', declines, at: due }
  if (declines + 1 >= DECLINES_MAX) return { do: 'end' }
  return { do: 'try_again', declines: declines + 1, at: nextAttempt(periodStart, declines + 1, now) }
}

/** A bank that wants to hear from its customer counts as a try; after the last one the customer has another day. */
export function afterChallenge(
  standing: DeclineState,
  now: Date,
): Extract<DunningDecision, { do: 'try_again' }> {
  const verdict = afterDecline(standing, now)
  return verdict.do === 'end'
    ? { do: 'try_again', declines: DECLINES_MAX, at: after(now, FINAL_CHALLENGE_WAIT) }
    : verdict
}

/** On its day. Where the service slept and tried late, as long after that try as it would have been. */
function nextAttempt(periodStart: Date, declines: number, now: Date): Date {
  const onItsDay = attemptDate(periodStart, declines)
  const pauseHours = 24 * (dayOf(declines) - dayOf(declines - 1))
  const isSoon = onItsDay < after(now, { hours: pauseHours / 2 })
  return isSoon ? after(now, { hours: pauseHours }) : onItsDay
}

const attemptDate = (periodStart: Date, declines: number): Date =>
  after(periodStart, { days: dayOf(declines) })
const dayOf = (index: number): number => ATTEMPT_DAYS[Math.min(Math.max(index, 0), DECLINES_MAX - 1)] ?? 0
