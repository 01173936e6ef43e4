// The lines of a quote, as the invoice shows them.
import type { Period } from '../calendar.ts'
import { extraSeats, type Plan, priceWithSeats } from '../plans/plans.ts'
import { soldPlan } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { prorate } from './proration.ts'

export type QuoteLine = {
  readonly description: string
  readonly quantity: number
  readonly amountMinor: bigint
}

/** The lines of a whole period. */
export function periodLines(plan: Plan, seats: number, period: Period): QuoteLine[] {
  return proratedLines(plan, seats, period, priceWithSeats(plan, seats), period)
}

/** Splits the price for the rest of a period into the plan and its extra seats. */
export function proratedLines(
  plan: Plan,
  seats: number,
  shownPeriod: Period,
  amountMinor: bigint,
  period: Period,
): QuoteLine[] {
  const extra = Number(extraSeats(plan, seats))
  const description = `${plan.name} by the ${plan.interval}, ${day(shownPeriod.start)} to ${day(shownPeriod.end)}`
  if (extra === 0) return [{ description, quantity: 1, amountMinor }]
  const shareMinor = prorate(plan.amountMinor, period, shownPeriod.start)
  // The total was rounded once, so the plan may not exceed it.
  const planMinor = shareMinor < amountMinor ? shareMinor : amountMinor
  return [
    { description, quantity: 1, amountMinor: planMinor },
    seatsLine(plan, extra, shownPeriod.end, amountMinor - planMinor),
  ]
}

export const seatsLine = (plan: Plan, quantity: number, end: Date, amountMinor: bigint): QuoteLine => ({
  description: `Seats beyond the ${plan.seatAllotment} of ${plan.name}, until ${day(end)}`,
  quantity,
  amountMinor,
})

export function unusedTimeLines(subscription: Subscription, creditMinor: bigint): QuoteLine[] {
  const plan = soldPlan(subscription)
  const extra = extraSeats(plan, subscription.seatsPaid)
  const what = extra > 0n ? `${plan.name} and ${extra} more ${extra === 1n ? 'seat' : 'seats'}` : plan.name
  return creditMinor > 0n
    ? [{ description: `Unused time on ${what}`, quantity: 1, amountMinor: -creditMinor }]
    : []
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
