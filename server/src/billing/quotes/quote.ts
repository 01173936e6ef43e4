// What a change of a subscription costs, to the minor unit, and what becomes of it. Nothing is read or written here: the
// same subscription at the same instant always gives the same quote.

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
  /** Sums to `chargeNowMinor` less `walletCreditMinor`. What was paid for and is not used any more is negative. */
  readonly lines: readonly QuoteLine[]
  readonly chargeNowMinor: bigint
  /** What was paid for and is not used any more: already taken off the charge. */
  readonly creditMinor: bigint
  /** The part of that credit which is more than the charge, and goes into the wallet. */
  readonly walletCreditMinor: bigint
  readonly effectiveAt: Date
  /** What the next renewal will charge. */
  readonly nextAmountMinor: bigint
  /** Null where nothing happens before the end of the period. */
  readonly effect: Effect | null
}

export type QuoteContext = {
  readonly now: Date
  /** The rate card in force, for what is newly bought. */
  readonly version: RateCardVersion
  readonly occupied: number
  /** Less than this cannot be charged to a card, and is not charged at all. */
  readonly leastMinor: bigint
}

export type PlanTarget = { readonly planCode: PlanCode; readonly interval: Interval }

export function changeDirection(from: PlanTarget, to: PlanTarget): 'same' | 'up' | 'down' {
  const rank = rankOf(to.planCode) - rankOf(from.planCode)
  if (rank !== 0) return rank > 0 ? 'up' : 'down'
  if (from.interval === to.interval) return 'same'
  return to.interval === 'year' ? 'up' : 'down'
}

/** An upgrade, now. Within the same interval the period goes on; otherwise a new one begins. */
export function quoteUpgrade(subscription: Subscription, target: PlanTarget, given: QuoteContext): Quote {
  const { version, leastMinor, occupied } = given
  const now = wholeSecond(given.now)
  const { currency, anchor } = subscription
  const plan = planOf(version, target.planCode, target.interval, currency)
  const seats = seatsOnPlan(plan, Math.max(subscription.seats, occupied))
  const paidMinor = paidForPeriod(subscription)
  const priceMinor = priceWithSeats(plan, seats)
  const current = periodOf(subscription)
  const isKept = paidMinor > 0n && subscription.interval === target.interval
  const period = isKept ? current : firstPeriod(now, target.interval)
  const creditMinor = prorate(paidMinor, current, now)
  // One rounding of the difference, so that two of them cannot add up to a unit that nobody owes.
  const dueMinor = isKept ? prorateSigned(priceMinor - paidMinor, current, now) : priceMinor - creditMinor
  const isWaived = dueMinor > 0n && dueMinor < leastMinor
  const effect: Effect = {
    ...target,
    rateCardVersion: version,
    seats,
    seatsPaid: seats,
    anchor: isKept ? anchor : now,
    periodStart: period.start,
    periodEnd: period.end,
    allowanceMinor: 0n,
  }
  return applyMinimumCharge({
    lines: [
      ...proratedLines(
        plan,
        seats,
        { start: isKept ? now : period.start, end: period.end },
        dueMinor + creditMinor,
        period,
      ),
      ...unusedTimeLines(subscription, creditMinor),
    ],
    dueMinor,
    creditMinor,
    leastMinor,
    effectiveAt: now,
    nextAmountMinor: priceMinor,
    // What is too little to be charged buys no allowance: it comes with the renewal, which is paid.
    effect:
      isKept && isWaived ? effect : { ...effect, allowanceMinor: allowanceChange(subscription, effect, now) },
  })
}

/** A change to a plan that is given away: by the month, from now on, and the rest of what was paid for comes back. */
export function quoteComp(
  subscription: Subscription,
  planCode: PlanCode,
  given: QuoteContext,
): Quote & { effect: Effect } {
  const { version } = given
  const plan = planOf(version, planCode, 'month', subscription.currency)
  const start = quoteStart(plan, version, given.now, { isComped: true, occupied: given.occupied })
  const creditMinor = prorate(paidForPeriod(subscription), periodOf(subscription), start.effectiveAt)
  const { effect } = start
  return {
    ...start,
    lines: unusedTimeLines(subscription, creditMinor),
    creditMinor,
    walletCreditMinor: creditMinor,
    // What the plan before it included for the rest of the month is not given twice.
    effect: { ...effect, allowanceMinor: allowanceChange(subscription, effect, start.effectiveAt) },
  }
}

/** A downgrade waits for the end of the period, at the prices the subscription was sold at. */
export function quoteDowngrade(
  subscription: Subscription,
  target: PlanTarget,
  { occupied }: QuoteContext,
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

/** More seats are paid for the rest of the period; those that were paid for it are not paid again. */
export function quoteSeats(subscription: Subscription, seats: number, given: QuoteContext): Quote {
  const { occupied, leastMinor } = given
  const now = wholeSecond(given.now)
  const plan = soldPlan(subscription)
  const { seatsPaid, isComped } = subscription
  const addedMinor =
    isComped || seats <= seatsPaid ? 0n : priceWithSeats(plan, seats) - priceWithSeats(plan, seatsPaid)
  const dueMinor = prorate(addedMinor, periodOf(subscription), now)
  const isPaid = addedMinor === 0n || (dueMinor > 0n && dueMinor >= leastMinor)
  const { planCode, interval, rateCardVersion, anchor, periodStart, periodEnd } = subscription
  return applyMinimumCharge({
    lines:
      dueMinor > 0n
        ? [seatsLine(plan, seats - Math.max(seatsPaid, plan.seatAllotment), periodEnd, dueMinor)]
        : [],
    dueMinor,
    creditMinor: 0n,
    leastMinor,
    effectiveAt: now,
    nextAmountMinor: nextRenewalAmount({ ...subscription, seats }, occupied),
    effect: {
      ...{ planCode, interval, rateCardVersion, anchor, periodStart, periodEnd, seats },
      // What was too little to be charged stays owed: it is part of the next addition, and never a credit.
      seatsPaid: isPaid ? Math.max(seatsPaid, seats) : seatsPaid,
      allowanceMinor: 0n,
    },
  })
}

/** What the next renewal charges if nothing changes until then. */
export function nextRenewalAmount(subscription: Subscription, occupied: number): bigint {
  if (subscription.cancelAtPeriodEnd) return 0n
  const { plan, seats } = renewalPlan(subscription, occupied)
  return isCompedPlan(subscription, plan) ? 0n : priceWithSeats(plan, seats)
}

type RenewalContext = Pick<QuoteContext, 'now' | 'occupied'> & {
  /** What its open bill says, where it has one. */
  readonly begun?: Effect | undefined
}

/** A renewal into the next period: on the plan that was scheduled, or on the same one. */
export function quoteRenewal(subscription: Subscription, { now, occupied, begun }: RenewalContext): Quote {
  const { rateCardVersion } = subscription
  const { plan, seats } = renewalPlan(subscription, occupied, begun)
  const { anchor, ...period } = renewalPeriod(subscription, plan.interval, now, begun)
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

/** A period that was billed stays what it was while it runs. */
function renewalPeriod(
  { anchor, periodEnd }: Subscription,
  interval: Interval,
  now: Date,
  begun: Effect | undefined,
): AnchoredPeriod {
  const billed =
    begun && begun.periodStart >= periodEnd && periodFrom(begun.anchor, begun.periodStart, interval)
  return billed && billed.end > now ? billed : nextPeriod(anchor, interval, periodEnd, now)
}

/** A first subscription, from now on, with a seat for everybody. What is given away is given by the month, so that it can end. */
export function quoteStart(
  wanted: Plan,
  version: RateCardVersion,
  at: Date,
  { isComped, occupied }: { readonly isComped: boolean; readonly occupied: number },
): Quote & { effect: Effect } {
  const now = wholeSecond(at)
  const plan = isComped ? planOf(version, wanted.code, 'month', wanted.currency) : wanted
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
  readonly leastMinor: bigint
}

/** What is due may be less than nothing, or less than can be charged. */
function applyMinimumCharge({ dueMinor, leastMinor, ...quote }: UncheckedQuote): Quote {
  if (dueMinor <= 0n) return { ...quote, chargeNowMinor: 0n, walletCreditMinor: -dueMinor }
  if (dueMinor >= leastMinor) return { ...quote, chargeNowMinor: dueMinor, walletCreditMinor: 0n }
  const waived = { description: 'Too little to charge to a card', quantity: 1, amountMinor: -dueMinor }
  return { ...quote, lines: [...quote.lines, waived], chargeNowMinor: 0n, walletCreditMinor: 0n }
}
