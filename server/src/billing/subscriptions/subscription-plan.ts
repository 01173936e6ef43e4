// The plan of a subscription: as sold, as scheduled, and as renewed.
import { type Plan, planOf, priceWithSeats } from '../plans/plans.ts'
import type { Subscription } from './subscriptions.ts'

/** The plan at the prices it was sold at. */
export const soldPlan = ({ rateCardVersion, planCode, interval, currency }: Subscription): Plan =>
  planOf(rateCardVersion, planCode, interval, currency)

export const scheduledPlan = (subscription: Subscription): Plan | null => {
  const { rateCardVersion, scheduledPlanCode: code, scheduledInterval: interval, currency } = subscription
  return code && interval ? planOf(rateCardVersion, code, interval, currency) : null
}

/** The amount paid for the current period, minus staff refunds. */
export function paidForPeriod(subscription: Subscription): bigint {
  const { isComped, seatsPaid, refundedMinor } = subscription
  const paidMinor = isComped ? 0n : priceWithSeats(soldPlan(subscription), seatsPaid)
  return paidMinor > refundedMinor ? paidMinor - refundedMinor : 0n
}

/** A comp covers one plan; a scheduled change to another plan is charged. */
export const isCompedPlan = ({ isComped, planCode }: Subscription, plan: Plan): boolean =>
  isComped && plan.code === planCode

/** A plan that sells seats has at least the used ones; any other plan has a fixed number. */
export const seatsOnPlan = (plan: Plan, used: number): number =>
  plan.seatPriceMinor > 0n ? Math.max(plan.seatAllotment, used) : plan.seatAllotment

/**
 * The seats after a renewal or change. The same plan keeps its seats, and at least one per member if it sells
 * seats. A different plan, or a comped one, has the seats that its members need.
 */
export function seatsAfterChange(plan: Plan, subscription: Subscription, occupied: number): number {
  const { planCode, seats } = subscription
  if (plan.code !== planCode || isCompedPlan(subscription, plan)) return seatsOnPlan(plan, occupied)
  return plan.seatPriceMinor > 0n ? Math.max(seats, occupied) : seats
}

/** The plan of an open renewal bill. */
type BilledPlan = Pick<Subscription, 'planCode'>

export function renewalPlan(
  subscription: Subscription,
  occupied: number,
  billed?: BilledPlan,
): { plan: Plan; seats: number } {
  const scheduled = appliesSchedule(subscription, occupied, billed) ? scheduledPlan(subscription) : null
  const plan = scheduled ?? soldPlan(subscription)
  return { plan, seats: seatsAfterChange(plan, subscription, occupied) }
}

/**
 * Whether the next period uses the scheduled plan. It does not if that plan sells no seats and has too few for the
 * members. A free plan is applied anyway, like a cancellation, and so is a plan that was already billed: a customer
 * is never charged after choosing not to be, nor more than was quoted.
 */
export function appliesSchedule(subscription: Subscription, occupied: number, billed?: BilledPlan): boolean {
  const plan = scheduledPlan(subscription)
  if (!plan || plan.code === subscription.planCode || plan.code === billed?.planCode) return true
  return plan.seatPriceMinor > 0n || plan.amountMinor === 0n || occupied <= plan.seatAllotment
}

export const isFree = (subscription: Subscription): boolean => soldPlan(subscription).amountMinor === 0n
