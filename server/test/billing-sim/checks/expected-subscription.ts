// What should become of a subscription, said in a few lines and without looking at how the service does it.
import { type RequestedChange, type SimOrg, type SubscriptionState, Violation } from '../org.ts'
import { monthNumber, monthsLater, monthsPassed, secondsBetween, wholeSecond } from './calendar.ts'
import { type Offer, type Prices, shareOf } from './prices.ts'

const monthsOf = ({ interval }: Offer): number => (interval === 'year' ? 12 : 1)

export const offerOf = ({ plan, interval }: SubscriptionState): Offer => ({ plan, interval })

export const isPaid = ({ plan }: Pick<SubscriptionState, 'plan'>): boolean => plan !== 'free'

/** A new subscription. */
export function startSubscription(prices: Prices, life: SimOrg, offer: Offer, anchor: Date): void {
  const { includedUsageMinor } = prices.of(life.currency, offer)
  const seats = seatsAfter(prices, life, offer, life.members)
  life.state = {
    ...offer,
    status: 'active',
    seats,
    seatsPaid: seats,
    scheduled: null,
    isCanceling: false,
    anchor,
    periodStart: anchor,
    periodEnd: monthsLater(anchor, monthsOf(offer)),
  }
  life.allowanceMinor = includedUsageMinor
  life.grantedMonth = 0
  life.open = null
  life.previews.clear()
  beginStretch(prices, life, anchor)
}

/** What a change costs now, and what becomes of the allowance. Less than nothing is given back into the wallet. */
export function priceOf(prices: Prices, life: SimOrg, offer: Offer, seats: number, at: Date): bigint {
  const state = stateOf(life)
  const now = wholeSecond(at)
  const paid = prices.full(life.currency, offerOf(state), state.seatsPaid)
  const price = prices.full(life.currency, offer, seats)
  const { periodStart, periodEnd } = state
  if (isKept(state, offer)) return shareOf(price - paid, periodStart, periodEnd, now)
  return price - shareOf(paid, periodStart, periodEnd, now)
}

/** Of the same interval, and something was paid: then its time goes on. */
const isKept = (state: SubscriptionState, offer: Offer): boolean =>
  isPaid(state) && state.interval === offer.interval

export function seatsAfter(prices: Prices, life: SimOrg, offer: Offer, used: number): number {
  const { seatPriceMinor, seatAllotment } = prices.of(life.currency, offer)
  return seatPriceMinor > 0n ? Math.max(seatAllotment, used) : seatAllotment
}

/** Something is due, and too little of it to be charged to a card. */
export const isWaived = (prices: Prices, life: SimOrg, dueMinor: bigint): boolean =>
  dueMinor > 0n && dueMinor < prices.minimumCharge(life.currency)

/** An upgrade or more seats, paid for or free of charge. `at` is when it came about, `wanted.at` when it was priced. */
export function applyChange(prices: Prices, life: SimOrg, wanted: RequestedChange, at: Date): void {
  const state = stateOf(life)
  const pricedAt = wholeSecond(wanted.at)
  const { offer, seats } = wanted
  const isFree = isWaived(prices, life, wanted.dueMinor)
  life.open = null
  life.previews.clear()
  life.changes++
  if (isFree) life.waivedMinor += wanted.dueMinor
  endStretch(life, pricedAt)
  if (wanted.kind === 'seats') {
    life.state = { ...state, seats, seatsPaid: isFree ? state.seatsPaid : Math.max(state.seatsPaid, seats) }
  } else {
    const isOn = isKept(state, offer)
    ;[life.allowanceMinor, life.otherAllowanceMinor] = allowancesAfter(prices, life, wanted, at)
    life.state = {
      ...state,
      ...offer,
      status: 'active',
      seats,
      seatsPaid: seats,
      scheduled: null,
      isCanceling: false,
      anchor: isOn ? state.anchor : pricedAt,
      periodStart: isOn ? state.periodStart : pricedAt,
      periodEnd: isOn ? state.periodEnd : monthsLater(pricedAt, monthsOf(offer)),
    }
    if (!isOn) life.grantedMonth = 0
    else if (!isFree) life.grantedMonth = Math.max(life.grantedMonth, monthsPassed(state.anchor, at))
  }
  beginStretch(prices, life, pricedAt)
}

/**
 * Each plan's allowance for the part of the month that it ran. A month that has begun and was not refilled is granted
 * whole; whether its refill came before, on the same day, nobody outside can tell.
 */
function allowancesAfter(
  prices: Prices,
  life: SimOrg,
  wanted: RequestedChange,
  when: Date,
): [bigint, bigint?] {
  const { offer, dueMinor } = wanted
  const state = stateOf(life)
  const at = wholeSecond(when)
  const isOn = isKept(state, offer)
  const has = prices.of(life.currency, offer).includedUsageMinor
  if (isOn && isWaived(prices, life, dueMinor)) return [life.allowanceMinor]
  if (at >= state.periodEnd) return [isOn ? life.allowanceMinor : has]
  const passed = monthsPassed(state.anchor, at)
  const [start, end] = [monthsLater(state.anchor, passed), monthsLater(state.anchor, passed + 1)]
  const had = prices.of(life.currency, offerOf(state)).includedUsageMinor
  const added = isOn ? shareOf(has - had, start, end, at) : has - shareOf(had, start, end, at)
  const after = (left: bigint): bigint => (left + added > 0n ? left + added : 0n)
  const isDue = state.interval === 'year' && passed > life.grantedMonth
  return isDue ? [has, after(had)] : [after(life.allowanceMinor)]
}

/** Where and on which plan the service says that a period begins, and when at the latest that was decided. */
export type PeriodStart = {
  readonly plan: string
  readonly anchor: Date
  readonly start: Date
  readonly by: Date
}

/** The next period, on the plan that was scheduled or the same. */
export function renew(prices: Prices, life: SimOrg, begun: PeriodStart): void {
  const state = stateOf(life)
  const { offer, seats } = renewalOf(prices, life, begun.plan)
  checkBegin(life, state, begun)
  const { anchor, start } = begun
  const month = monthNumber(anchor, start) ?? 0
  life.state = {
    ...state,
    ...offer,
    status: 'active',
    seats,
    seatsPaid: seats,
    scheduled: null,
    isCanceling: false,
    anchor,
    periodStart: start,
    periodEnd: monthsLater(anchor, month + monthsOf(offer)),
  }
  life.allowanceMinor = prices.of(life.currency, offer).includedUsageMinor
  life.grantedMonth = month
  life.previews.clear()
  beginStretch(prices, life, start)
}

const LATE_MS = 3 * 86_400_000

/** It follows the one before at once; or it comes days late, and begins when it comes. */
function checkBegin(life: SimOrg, { anchor, periodEnd }: SubscriptionState, begun: PeriodStart): void {
  const isAtOnce =
    begun.start.getTime() === periodEnd.getTime() && begun.anchor.getTime() === anchor.getTime()
  const isLate =
    begun.start.getTime() > periodEnd.getTime() + LATE_MS &&
    begun.start.getTime() === begun.anchor.getTime() &&
    begun.start <= begun.by
  if (!isAtOnce && !isLate)
    throw life.violation(`a period begins at ${iso(begun.start)} after one that ends at ${iso(periodEnd)}`)
}

export function endSubscription(life: SimOrg): void {
  life.state = null
  life.open = null
  life.previews.clear()
  life.allowanceMinor = 0n
}

export function stateOf(life: SimOrg): SubscriptionState {
  if (!life.state) throw new Violation(`${life.name} has no subscription`)
  return life.state
}

/**
 * What a subscription is renewed into: the same plan keeps its seats, another has those that are used. One that has no room
 * for everybody by now is not gone into, unless it costs nothing or was billed.
 */
function renewalOf(prices: Prices, life: SimOrg, billed?: string): { offer: Offer; seats: number } {
  const state = stateOf(life)
  const scheduled = state.scheduled ?? offerOf(state)
  const { seatPriceMinor, seatAllotment, amountMinor } = prices.of(life.currency, scheduled)
  const hasRoom = seatPriceMinor > 0n || amountMinor === 0n || life.members <= seatAllotment
  const offer =
    hasRoom || scheduled.plan === billed || scheduled.plan === state.plan ? scheduled : offerOf(state)
  const isSold = prices.of(life.currency, offer).seatPriceMinor > 0n
  const seats =
    offer.plan === state.plan
      ? Math.max(state.seats, isSold ? life.members : 0)
      : seatsAfter(prices, life, offer, life.members)
  return { offer, seats }
}

export function renewalPrice(prices: Prices, life: SimOrg, billed?: string): bigint {
  const { offer, seats } = renewalOf(prices, life, billed)
  return prices.full(life.currency, offer, seats)
}

function beginStretch(prices: Prices, life: SimOrg, from: Date): void {
  const { periodStart, periodEnd, seatsPaid, ...state } = stateOf(life)
  const priceMinor = prices.full(
    life.currency,
    offerOf({ ...state, periodStart, periodEnd, seatsPaid }),
    seatsPaid,
  )
  const seconds = Number(secondsBetween(periodStart, periodEnd))
  // A clock that went back finds itself before the period that it has paid.
  life.paidTimes.push({ from: from < periodStart ? periodStart : from, to: periodEnd, priceMinor, seconds })
}

/** A clock that went back ends it before it began: then what was counted twice is taken off again. */
function endStretch(life: SimOrg, at: Date): void {
  const last = life.paidTimes.at(-1)
  const { periodStart } = stateOf(life)
  if (last && last.to > at) last.to = at < periodStart ? periodStart : at
}

/** What all the time is worth that was ever paid for, to the end of what runs now. */
export const paidTimeValue = (life: SimOrg): number =>
  life.paidTimes.reduce(
    (sum, { from, to, priceMinor, seconds }) =>
      sum + (Number(priceMinor) * (to.getTime() - from.getTime())) / 1_000 / seconds,
    0,
  )

export const iso = (at: Date): string => at.toISOString()
