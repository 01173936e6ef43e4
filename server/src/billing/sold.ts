// What a subscription was sold as, and what it goes on as.
import { type Plan, planOf, priceWithSeats } from './plans.ts'
import type { Subscription } from './sql.ts'

/** The plan as it was sold. */
export const soldPlan = ({ rateCardVersion, planCode, interval, currency }: Subscription): Plan =>
  planOf(rateCardVersion, planCode, interval, currency)

export const scheduledPlan = (subscription: Subscription): Plan | null => {
  const { rateCardVersion, scheduledPlanCode: code, scheduledInterval: interval, currency } = subscription
  return code && interval ? planOf(rateCardVersion, code, interval, currency) : null
}

/** What the running period was paid. */
export const paidFor = (subscription: Subscription): bigint =>
  subscription.isComped ? 0n : priceWithSeats(soldPlan(subscription), subscription.seatsPaid)

/** A comp gives one plan; a scheduled change to another is paid. */
export const isGiven = ({ isComped, planCode }: Subscription, plan: Plan): boolean =>
  isComped && plan.code === planCode

/** A plan that sells seats keeps those that are used; another has its own. */
export const seatsAfter = (plan: Plan, used: number): number =>
  plan.seatPriceMinor > 0n ? Math.max(plan.seatAllotment, used) : plan.seatAllotment

/** The same plan by another interval keeps its seats; a lesser one has those that are occupied. */
export const seatsInto = (plan: Plan, { planCode, seats }: Subscription, occupied: number): number =>
  plan.code === planCode ? seats : seatsAfter(plan, occupied)

export function renewedPlan(subscription: Subscription, occupied: number): { plan: Plan; seats: number } {
  const plan = scheduledPlan(subscription) ?? soldPlan(subscription)
  return { plan, seats: seatsInto(plan, subscription, occupied) }
}

export const isFree = (subscription: Subscription): boolean => soldPlan(subscription).amountMinor === 0n
