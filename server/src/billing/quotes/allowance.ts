// What a change does to the allowance of the running month.
import { monthAt, wholeSecond } from '../calendar.ts'
import { planOf } from '../plans/plans.ts'
import { soldPlan } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import type { Effect } from './effect.ts'
import { prorate, prorateSigned } from './proration.ts'

/**
 * What a change does to the allowance if it comes about now. Money is as it was told; a month may begin between the telling
 * and the doing. What left the allowance alone does so at any time.
 */
export function allowanceChangeAt(subscription: Subscription, effect: Effect, now: Date): bigint | null {
  return effect.allowanceMinor === 0n ? 0n : allowanceChange(subscription, effect, wholeSecond(now))
}

/**
 * Each plan's allowance for the part of the month that it runs. A month that is over and not granted anew yet leaves nothing
 * to carry along: the whole is granted now, or waits for the renewal that is due.
 */
export function allowanceChange(subscription: Subscription, effect: Effect, now: Date): bigint | null {
  const { anchor, periodStart, periodEnd, allowanceDueAt, currency } = subscription
  const { includedUsageMinor: beforeMinor } = soldPlan(subscription)
  const { planCode, interval, rateCardVersion } = effect
  const { includedUsageMinor: afterMinor } = planOf(rateCardVersion, planCode, interval, currency)
  // By another interval it is a new period, also where it begins in the very second of the old one.
  const isKept =
    interval === subscription.interval &&
    effect.anchor.getTime() === anchor.getTime() &&
    effect.periodStart.getTime() === periodStart.getTime()
  if (now >= periodEnd) return isKept ? 0n : null
  if (allowanceDueAt && allowanceDueAt <= now) return null
  const month = monthAt(anchor, now)
  return isKept
    ? prorateSigned(afterMinor - beforeMinor, month, now)
    : afterMinor - prorate(beforeMinor, month, now)
}
