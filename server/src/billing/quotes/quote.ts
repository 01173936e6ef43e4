// Calculates the price of a subscription change, to the minor unit, and its effect. Pure functions: the same
// subscription at the same instant always gives the same quote.

import type { RateCardVersion } from '../../metering/metering.ts'
import {
  type AnchoredPeriod,
  firstPeriod,
  type Interval,
  nextPeriod,
  type Period,
  periodFrom,
  wholeSecond,
} from '../calendar.ts'
import { type Plan, type PlanCode, planOf, priceWithSeats, rankOf } from '../plans/plans.ts'
import {
  isCompedPlan,
  paidForPeriod,
  renewalPlan,
  seatsAfterChange,
  seatsOnPlan,
  soldPlan,
} from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { allowanceChange } from './allowance.ts'
import type { Effect } from './effect.ts'
import { prorate, prorateSigned } from './proration.ts'
import { periodLines, proratedLines, type QuoteLine, seatsLine, unusedTimeLines } from './quote-lines.ts'

export type Quote = {
  /** They sum to `chargeNowMinor` minus `walletCreditMinor`. Credit for unused time is negative. */
  readonly lines: readonly QuoteLine[]
  readonly chargeNowMinor: bigint
  /** Credit for the unused part of the current period; already deducted from the charge. */
  readonly creditMinor: bigint
  /** The part of the credit that exceeds the charge; it is credited to the wallet. */
  readonly walletCreditMinor: bigint
  readonly effectiveAt: Date
  /** The amount of the next renewal. */
  readonly nextAmountMinor: bigint
  /** Null if nothing changes before the end of the period. */
  readonly effect: Effect | null
}

export type PricingContext = {
  readonly now: Date
  /** The current rate card, for new purchases. */
  readonly version: RateCardVersion
  readonly occupied: number
  /** The minimum of a card charge. A smaller amount is waived. */
  readonly minChargeMinor: bigint
}

export type PlanTarget = { readonly planCode: PlanCode; readonly interval: Interval }

export function changeDirection(from: PlanTarget, to: PlanTarget): 'same' | 'up' | 'down' {
  const rank = rankOf(to.planCode) - rankOf(from.planCode)
  if (rank !== 0) return rank > 0 ? 'up' : 'down'
  if (from.interval === to.interval) return 'same'
  return to.interval === 'year' ? 'up' : 'down'
}

/** An upgrade takes effect now. Within the same interval the period continues; otherwise a new period starts. */
export function quoteUpgrade(subscription: Subscription, target: PlanTarget, context: PricingContext): Quote {
  const { version, minChargeMinor, occupied } = context
  const now = wholeSecond(context.now)
  const { currency, anchor } = subscription
  const plan = planOf(version, target.planCode, target.interval, currency)
  const seats = seatsOnPlan(plan, Math.max(subscription.seats, occupied))
  const paidMinor = paidForPeriod(subscription)
  const priceMinor = priceWithSeats(plan, seats)
  const current = periodOf(subscription)
  const isSamePeriod = paidMinor > 0n && subscription.interval === target.interval
  const period = isSamePeriod ? current : firstPeriod(now, target.interval)
  const creditMinor = prorate(paidMinor, current, now)
  // Rounds the difference once: two roundings could add up to a unit that is not owed.
  const dueMinor = isSamePeriod
    ? prorateSigned(priceMinor - paidMinor, current, now)
    : priceMinor - creditMinor
  const isWaived = dueMinor > 0n && dueMinor < minChargeMinor
  const effect: Effect = {
    ...target,
    rateCardVersion: version,
    seats,
    seatsPaid: seats,
    anchor: isSamePeriod ? anchor : now,
    periodStart: period.start,
    periodEnd: period.end,
    allowanceMinor: 0n,
  }
  return applyMinimumCharge({
    lines: [
      ...proratedLines(
        plan,
        seats,
        { start: isSamePeriod ? now : period.start, end: period.end },
        dueMinor + creditMinor,
        period,
      ),
      ...unusedTimeLines(subscription, creditMinor),
    ],
    dueMinor,
    creditMinor,
    minChargeMinor,
    effectiveAt: now,
    nextAmountMinor: priceMinor,
    // A waived amount buys no allowance. The next paid renewal grants it.
    effect:
      isSamePeriod && isWaived
        ? effect
        : { ...effect, allowanceMinor: allowanceChange(subscription, effect, now) },
  })
}

/** A change to a comped plan: monthly, from now on. The unused part of the paid period is credited. */
export function quoteComp(
  subscription: Subscription,
  planCode: PlanCode,
  context: PricingContext,
): Quote & { effect: Effect } {
  const { version } = context
  const plan = planOf(version, planCode, 'month', subscription.currency)
  const start = quoteStart(plan, version, context.now, { isComped: true, occupied: context.occupied })
  const creditMinor = prorate(paidForPeriod(subscription), periodOf(subscription), start.effectiveAt)
  const { effect } = start
  return {
    ...start,
    lines: unusedTimeLines(subscription, creditMinor),
    creditMinor,
    walletCreditMinor: creditMinor,
    // The allowance of the previous plan for the rest of the month is not granted twice.
    effect: { ...effect, allowanceMinor: allowanceChange(subscription, effect, start.effectiveAt) },
  }
}

/** A downgrade waits for the end of the period and keeps the rate card of the subscription. */
export function quoteDowngrade(
  subscription: Subscription,
  target: PlanTarget,
  { occupied }: PricingContext,
): Quote {
  const { rateCardVersion, currency, periodEnd } = subscription
  const plan = planOf(rateCardVersion, target.planCode, target.interval, currency)
  return {
    lines: [],
    chargeNowMinor: 0n,
    creditMinor: 0n,
    walletCreditMinor: 0n,
    effectiveAt: periodEnd,
    nextAmountMinor: priceWithSeats(plan, seatsAfterChange(plan, subscription, occupied)),
    effect: null,
  }
}

/**
 * Additional seats are charged for the rest of the period. Seats that were already paid for this period are free.
 */
export function quoteSeats(subscription: Subscription, seats: number, context: PricingContext): Quote {
  const { occupied, minChargeMinor } = context
  const now = wholeSecond(context.now)
  const plan = soldPlan(subscription)
  const { seatsPaid, isComped } = subscription
  const addedMinor =
    isComped || seats <= seatsPaid ? 0n : priceWithSeats(plan, seats) - priceWithSeats(plan, seatsPaid)
  const dueMinor = prorate(addedMinor, periodOf(subscription), now)
  const isPaid = addedMinor === 0n || (dueMinor > 0n && dueMinor >= minChargeMinor)
  const { planCode, interval, rateCardVersion, anchor, periodStart, periodEnd } = subscription
  return applyMinimumCharge({
    lines:
      dueMinor > 0n
        ? [seatsLine(plan, seats - Math.max(seatsPaid, plan.seatAllotment), periodEnd, dueMinor)]
        : [],
    dueMinor,
    creditMinor: 0n,
    minChargeMinor,
    effectiveAt: now,
    nextAmountMinor: nextRenewalAmount({ ...subscription, seats }, occupied),
    effect: {
      ...{ planCode, interval, rateCardVersion, anchor, periodStart, periodEnd, seats },
      // A waived amount stays owed: it is part of the next addition and never becomes a credit.
      seatsPaid: isPaid ? Math.max(seatsPaid, seats) : seatsPaid,
      allowanceMinor: 0n,
    },
  })
}

/** The amount of the next renewal if nothing changes until then. */
export function nextRenewalAmount(subscription: Subscription, occupied: number): bigint {
  if (subscription.cancelAtPeriodEnd) return 0n
  const { plan, seats } = renewalPlan(subscription, occupied)
  return isCompedPlan(subscription, plan) ? 0n : priceWithSeats(plan, seats)
}

type RenewalContext = Pick<PricingContext, 'now' | 'occupied'> & {
  /** The effect of its open bill, if there is one. */
  readonly billed?: Effect | undefined
}

/** A renewal into the next period, with the scheduled plan or the current one. */
export function quoteRenewal(subscription: Subscription, { now, occupied, billed }: RenewalContext): Quote {
  const { rateCardVersion } = subscription
  const { plan, seats } = renewalPlan(subscription, occupied, billed)
  const { anchor, ...period } = renewalPeriod(subscription, plan.interval, now, billed)
  const amountMinor = isCompedPlan(subscription, plan) ? 0n : priceWithSeats(plan, seats)
  return {
    lines: amountMinor > 0n ? periodLines(plan, seats, period) : [],
    chargeNowMinor: amountMinor,
    creditMinor: 0n,
    walletCreditMinor: 0n,
    effectiveAt: period.start,
    nextAmountMinor: amountMinor,
    effect: {
      planCode: plan.code,
      interval: plan.interval,
      rateCardVersion,
      seats,
      seatsPaid: seats,
      anchor,
      periodStart: period.start,
      periodEnd: period.end,
      allowanceMinor: null,
    },
  }
}

/** A billed period stays fixed while it runs. */
function renewalPeriod(
  { anchor, periodEnd }: Subscription,
  interval: Interval,
  now: Date,
  billed: Effect | undefined,
): AnchoredPeriod {
  const period =
    billed && billed.periodStart >= periodEnd && periodFrom(billed.anchor, billed.periodStart, interval)
  return period && period.end > now ? period : nextPeriod(anchor, interval, periodEnd, now)
}

/** A first subscription from now on, with a seat for every member. A comped plan is monthly, so that it can end. */
export function quoteStart(
  chosenPlan: Plan,
  version: RateCardVersion,
  at: Date,
  { isComped, occupied }: { readonly isComped: boolean; readonly occupied: number },
): Quote & { effect: Effect } {
  const now = wholeSecond(at)
  const plan = isComped ? planOf(version, chosenPlan.code, 'month', chosenPlan.currency) : chosenPlan
  const period = firstPeriod(now, plan.interval)
  const seats = seatsOnPlan(plan, occupied)
  const amountMinor = isComped ? 0n : priceWithSeats(plan, seats)
  return {
    lines: amountMinor > 0n ? periodLines(plan, seats, period) : [],
    chargeNowMinor: amountMinor,
    creditMinor: 0n,
    walletCreditMinor: 0n,
    effectiveAt: now,
    nextAmountMinor: amountMinor,
    effect: {
      planCode: plan.code,
      interval: plan.interval,
      rateCardVersion: version,
      seats,
      seatsPaid: seats,
      anchor: now,
      periodStart: period.start,
      periodEnd: period.end,
      allowanceMinor: null,
    },
  }
}

const periodOf = ({ periodStart, periodEnd }: Subscription): Period => ({
  start: periodStart,
  end: periodEnd,
})

type UncheckedQuote = Pick<Quote, 'lines' | 'creditMinor' | 'effectiveAt' | 'nextAmountMinor' | 'effect'> & {
  readonly dueMinor: bigint
  readonly minChargeMinor: bigint
}

/** The amount due may be negative, or below the minimum charge. */
function applyMinimumCharge({ dueMinor, minChargeMinor, ...quote }: UncheckedQuote): Quote {
  if (dueMinor <= 0n) return { ...quote, chargeNowMinor: 0n, walletCreditMinor: -dueMinor }
  if (dueMinor >= minChargeMinor) return { ...quote, chargeNowMinor: dueMinor, walletCreditMinor: 0n }
  const waived = { description: 'Below the minimum card charge', quantity: 1, amountMinor: -dueMinor }
  return { ...quote, lines: [...quote.lines, waived], chargeNowMinor: 0n, walletCreditMinor: 0n }
}
