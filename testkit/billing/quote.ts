// Subscriptions for tests without a database.

import {
  addMonths,
  firstPeriod,
  type Interval,
  monthAt,
  wholeSecond,
} from '@cowrie/server/src/billing/calendar.ts'
import { INTERVALS, PLAN_CODES, type PlanCode, planOf } from '@cowrie/server/src/billing/plans/plans.ts'
import type { Effect } from '@cowrie/server/src/billing/quotes/effect.ts'
import type { PlanTarget, PricingContext, Quote } from '@cowrie/server/src/billing/quotes/quote.ts'
import type { Subscription } from '@cowrie/server/src/billing/subscriptions/subscriptions.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import { currencies } from '@cowrie/server/src/kernel/money.ts'
import fc from 'fast-check'

export const VERSION = '2026-11'
export const BEGAN = new Date('2026-11-15T09:00:00.000Z')

/** Pro, monthly, in naira, since 15 November. */
export function newSubscription(given: Partial<Subscription> = {}): Subscription {
  const { planCode = 'pro', interval = 'month', currency = 'NGN', anchor = BEGAN } = given
  const { start, end } = firstPeriod(anchor, interval)
  const seats = given.seats ?? planOf(VERSION, planCode, interval, currency).seatAllotment
  return {
    id: newId('sub'),
    orgId: newId('org'),
    planCode,
    interval,
    status: 'active',
    rateCardVersion: VERSION,
    currency,
    seats,
    seatsPaid: seats,
    isComped: false,
    refundedMinor: 0n,
    anchor,
    periodStart: start,
    periodEnd: end,
    allowanceDueAt: interval === 'year' ? addMonths(anchor, 1) : null,
    cancelAtPeriodEnd: false,
    scheduledPlanCode: null,
    scheduledInterval: null,
    version: 1,
    createdAt: anchor,
    endedAt: null,
    ...given,
  }
}

export const pricingAt = (now: Date, given: Partial<PricingContext> = {}): PricingContext => ({
  now,
  version: VERSION,
  occupied: 1,
  minChargeMinor: 0n,
  ...given,
})

/** The subscription after an effect, as the database would store it. */
export function withEffect(subscription: Subscription, effect: Effect, now: Date): Subscription {
  const { allowanceMinor: _, ...changed } = effect
  const { end } = monthAt(effect.anchor, wholeSecond(now))
  return {
    ...subscription,
    ...changed,
    isComped: false,
    allowanceDueAt: end < effect.periodEnd ? end : null,
    version: subscription.version + 1,
  }
}

export const HALF = new Date('2026-11-30T09:00:00.000Z')
export const END = new Date('2026-12-15T09:00:00.000Z')
export const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000)
export const sumOf = ({ lines }: Quote) => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
export const linesAddUp = (quote: Quote) => sumOf(quote) === quote.chargeNowMinor - quote.walletCreditMinor
export const to = (planCode: PlanCode, interval: Interval = 'month'): PlanTarget => ({ planCode, interval })

export const code = fc.constantFrom(...PLAN_CODES)
export const interval = fc.constantFrom(...INTERVALS)
export const target = fc.record({ planCode: code, interval })
export const subscription = fc
  .record({
    planCode: code,
    interval,
    currency: fc.constantFrom(...currencies),
    more: fc.integer({ min: 0, max: 60 }),
    given: fc.integer({ min: 0, max: 60 }),
    isComped: fc.boolean(),
    anchor: fc.date({ min: new Date('2026-01-01'), max: new Date('2032-01-01'), noInvalidDate: true }),
  })
  .map(({ more, given, anchor, ...rest }) => {
    const plan = planOf(VERSION, rest.planCode, rest.interval, rest.currency)
    const seats = plan.seatPriceMinor > 0n ? plan.seatAllotment + more : plan.seatAllotment
    const whole = new Date(Math.floor(anchor.getTime() / 1000) * 1000)
    const seatsPaid = plan.seatPriceMinor > 0n ? seats + given : seats
    return newSubscription({ ...rest, anchor: whole, seats, seatsPaid })
  })
/** The elapsed part of the period in thousandths; more than 1000 after its end. */
export const passed = fc.integer({ min: 0, max: 1_100 })
export const instantOf = ({ periodStart, periodEnd }: Subscription, thousandths: number) =>
  later(periodStart, Math.floor(((periodEnd.getTime() - periodStart.getTime()) / 1_000_000) * thousandths))
