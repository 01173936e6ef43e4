// What a subscription was sold as, and what it goes on as.
import { type Plan, planOf, priceWithSeats } from '../plans/plans.ts'
import type { Subscription } from './subscriptions.ts'

/** The plan as it was sold. */
export const soldPlan = ({ rateCardVersion, planCode, interval, currency }: Subscription): Plan =>
  planOf(rateCardVersion, planCode, interval, currency)

export const scheduledPlan = (subscription: Subscription): Plan | null => {
  const { rateCardVersion, scheduledPlanCode: code, scheduledInterval: interval, currency } = subscription
  return code && interval ? planOf(rateCardVersion, code, interval, currency) : null
}

/** What the running period was paid, without what staff gave back of it. */
export function paidForPeriod(subscription: Subscription): bigint {
  const { isComped, seatsPaid, refundedMinor } = subscription
  const paidMinor = isComped ? 0n : priceWithSeats(soldPlan(subscription), seatsPaid)
  return paidMinor > refundedMinor ? paidMinor - refundedMinor : 0n
}

/** A comp gives one plan; a scheduled change to another is paid. */
export const isCompedPlan = ({ isComped, planCode }: Subscription, plan: Plan): boolean =>
  isComped && plan.code === planCode

/** A plan that sells seats keeps those that are used; another has its own. */
export const seatsOnPlan = (plan: Plan, used: number): number =>
  plan.seatPriceMinor > 0n ? Math.max(plan.seatAllotment, used) : plan.seatAllotment

/**
 * The same plan keeps its seats, and has no fewer than are occupied where they are sold. Another plan, and one that is given
 * away, has those that are occupied.
 */
export function seatsAfterChange(plan: Plan, subscription: Subscription, occupied: number): number {
  const { planCode, seats } = subscription
  if (plan.code !== planCode || isCompedPlan(subscription, plan)) return seatsOnPlan(plan, occupied)
  return plan.seatPriceMinor > 0n ? Math.max(seats, occupied) : seats
}

/** What a bill that is open already says about the plan. */
type BilledPlan = Pick<Subscription, 'planCode'>

export function renewalPlan(
  subscription: Subscription,
  occupied: number,
  told?: BilledPlan,
): { plan: Plan; seats: number } {
  const scheduled = appliesSchedule(subscription, occupied, told) ? scheduledPlan(subscription) : null
  const plan = scheduled ?? soldPlan(subscription)
  return { plan, seats: seatsAfterChange(plan, subscription, occupied) }
}

/**
 * Whether the next period is on the plan that was scheduled for it: not where that one sells no seats and has too few of them
 * by now. What costs nothing is gone into all the same, as a cancellation would be, and so is what was billed already: nobody
 * is charged who chose not to be, or more than they were told.
 */
export function appliesSchedule(subscription: Subscription, occupied: number, told?: BilledPlan): boolean {
  const plan = scheduledPlan(subscription)
  if (!plan || plan.code === subscription.planCode || plan.code === told?.planCode) return true
  return plan.seatPriceMinor > 0n || plan.amountMinor === 0n || occupied <= plan.seatAllotment
}

export const isFree = (subscription: Subscription): boolean => soldPlan(subscription).amountMinor === 0n
