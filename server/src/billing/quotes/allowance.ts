// The effect of a plan change on the allowance of the current month.
import { monthAt, wholeSecond } from '../calendar.ts'
import { planOf } from '../plans/plans.ts'
import { soldPlan } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import type { Effect } from './effect.ts'
import { prorate, prorateSigned } from './proration.ts'

/**
 * The allowance change if the effect is applied now. The quoted price is fixed, but a new month may start between
 * quote and payment. An effect that leaves the allowance unchanged does so at any time.
 */
export function allowanceChangeAt(subscription: Subscription, effect: Effect, now: Date): bigint | null {
  return effect.allowanceMinor === 0n ? 0n : allowanceChange(subscription, effect, wholeSecond(now))
}

/**
 * Prorates the allowance of each plan by its part of the month. If the current month is over and the next allowance
 * is not granted yet, nothing is carried over: the full allowance is granted now (null) or by the renewal that is
 * due.
 */
export function allowanceChange(subscription: Subscription, effect: Effect, now: Date): bigint | null {
  const { anchor, periodStart, periodEnd, allowanceDueAt, currency } = subscription
  const { includedUsageMinor: beforeMinor } = soldPlan(subscription)
  const { planCode, interval, rateCardVersion } = effect
  const { includedUsageMinor: afterMinor } = planOf(rateCardVersion, planCode, interval, currency)
  // Another interval starts a new period, even in the same second as the old one.
  const isSamePeriod =
    interval === subscription.interval &&
    effect.anchor.getTime() === anchor.getTime() &&
    effect.periodStart.getTime() === periodStart.getTime()
  if (now >= periodEnd) return isSamePeriod ? 0n : null
  if (allowanceDueAt && allowanceDueAt <= now) return null
  const month = monthAt(anchor, now)
  return isSamePeriod
    ? prorateSigned(afterMinor - beforeMinor, month, now)
    : afterMinor - prorate(beforeMinor, month, now)
}
