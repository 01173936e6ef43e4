// A small model of subscriptions, written independently of the service.
import { type RequestedChange, type SimOrg, type SubscriptionState, Violation } from '../org.ts'
import { monthNumber, monthsLater, monthsPassed, secondsBetween, wholeSecond } from './calendar.ts'
import { type Offer, type Prices, shareOf } from './prices.ts'

const monthsOf = ({ interval }: Offer): number => (interval === 'year' ? 12 : 1)

export const offerOf = ({ plan, interval }: SubscriptionState): Offer => ({ plan, interval })

export const isPaid = ({ plan }: Pick<SubscriptionState, 'plan'>): boolean => plan !== 'free'

/** Starts a subscription. */
export function startSubscription(prices: Prices, org: SimOrg, offer: Offer, anchor: Date): void {
  const { includedUsageMinor } = prices.of(org.currency, offer)
  const seats = seatsAfter(prices, org, offer, org.members)
  org.state = {
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
  org.allowanceMinor = includedUsageMinor
  org.grantedMonth = 0
  org.open = null
  org.previews.clear()
  beginStretch(prices, org, anchor)
}

/** The price of a change now. A negative price is credited to the wallet. */
export function priceOf(prices: Prices, org: SimOrg, offer: Offer, seats: number, at: Date): bigint {
  const state = stateOf(org)
  const now = wholeSecond(at)
  const paid = prices.full(org.currency, offerOf(state), state.seatsPaid)
  const price = prices.full(org.currency, offer, seats)
  const { periodStart, periodEnd } = state
  if (isKept(state, offer)) return shareOf(price - paid, periodStart, periodEnd, now)
  return price - shareOf(paid, periodStart, periodEnd, now)
}

/** A change of a paid plan within the same interval keeps the period. */
const isKept = (state: SubscriptionState, offer: Offer): boolean =>
  isPaid(state) && state.interval === offer.interval

export function seatsAfter(prices: Prices, org: SimOrg, offer: Offer, used: number): number {
  const { seatPriceMinor, seatAllotment } = prices.of(org.currency, offer)
  return seatPriceMinor > 0n ? Math.max(seatAllotment, used) : seatAllotment
}

/** Whether an amount is due but below the minimum card charge. */
export const isWaived = (prices: Prices, org: SimOrg, dueMinor: bigint): boolean =>
  dueMinor > 0n && dueMinor < prices.minimumCharge(org.currency)

/** Applies an upgrade or new seats. `at` is the time of the change, `change.at` the time of pricing. */
export function applyChange(prices: Prices, org: SimOrg, change: RequestedChange, at: Date): void {
  const state = stateOf(org)
  const pricedAt = wholeSecond(change.at)
  const { offer, seats } = change
  const isFree = isWaived(prices, org, change.dueMinor)
  org.open = null
  org.previews.clear()
  org.changes++
  if (isFree) org.waivedMinor += change.dueMinor
  endStretch(org, pricedAt)
  if (change.kind === 'seats') {
    org.state = { ...state, seats, seatsPaid: isFree ? state.seatsPaid : Math.max(state.seatsPaid, seats) }
  } else {
    const isOn = isKept(state, offer)
    ;[org.allowanceMinor, org.otherAllowanceMinor] = allowancesAfter(prices, org, change, at)
    org.state = {
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
    if (!isOn) org.grantedMonth = 0
    else if (!isFree) org.grantedMonth = Math.max(org.grantedMonth, monthsPassed(state.anchor, at))
  }
  beginStretch(prices, org, pricedAt)
}

/**
 * The allowance after a change, in proportion to the time of each plan in the month. A month that has started and was not
 * refilled is granted in full. An observer cannot know whether a refill on the same day came first, so both results are valid.
 */
function allowancesAfter(
  prices: Prices,
  org: SimOrg,
  change: RequestedChange,
  when: Date,
): [bigint, bigint?] {
  const { offer, dueMinor } = change
  const state = stateOf(org)
  const at = wholeSecond(when)
  const isOn = isKept(state, offer)
  const has = prices.of(org.currency, offer).includedUsageMinor
  if (isOn && isWaived(prices, org, dueMinor)) return [org.allowanceMinor]
  if (at >= state.periodEnd) return [isOn ? org.allowanceMinor : has]
  const passed = monthsPassed(state.anchor, at)
  const [start, end] = [monthsLater(state.anchor, passed), monthsLater(state.anchor, passed + 1)]
  const had = prices.of(org.currency, offerOf(state)).includedUsageMinor
  const added = isOn ? shareOf(has - had, start, end, at) : has - shareOf(had, start, end, at)
  const after = (left: bigint): bigint => (left + added > 0n ? left + added : 0n)
  const isDue = state.interval === 'year' && passed > org.grantedMonth
  return isDue ? [has, after(had)] : [after(org.allowanceMinor)]
}

/** The plan and start of a new period as the service reports them, and the latest time of that decision. */
export type PeriodStart = {
  readonly plan: string
  readonly anchor: Date
  readonly start: Date
  readonly by: Date
}

/** Starts the next period, on the scheduled plan or the same one. */
export function renew(prices: Prices, org: SimOrg, begun: PeriodStart): void {
  const state = stateOf(org)
  const { offer, seats } = renewalOf(prices, org, begun.plan)
  checkBegin(org, state, begun)
  const { anchor, start } = begun
  const month = monthNumber(anchor, start) ?? 0
  org.state = {
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
  org.allowanceMinor = prices.of(org.currency, offer).includedUsageMinor
  org.grantedMonth = month
  org.previews.clear()
  beginStretch(prices, org, start)
}

const LATE_MS = 3 * 86_400_000

/** A period follows the previous one directly, or starts days late at the time of payment. */
function checkBegin(org: SimOrg, { anchor, periodEnd }: SubscriptionState, begun: PeriodStart): void {
  const isAtOnce =
    begun.start.getTime() === periodEnd.getTime() && begun.anchor.getTime() === anchor.getTime()
  const isLate =
    begun.start.getTime() > periodEnd.getTime() + LATE_MS &&
    begun.start.getTime() === begun.anchor.getTime() &&
    begun.start <= begun.by
  if (!isAtOnce && !isLate)
    throw org.violation(`a period starts at ${iso(begun.start)} after one that ended at ${iso(periodEnd)}`)
}

export function endSubscription(org: SimOrg): void {
  org.state = null
  org.open = null
  org.previews.clear()
  org.allowanceMinor = 0n
}

export function stateOf(org: SimOrg): SubscriptionState {
  if (!org.state) throw new Violation(`${org.name} has no subscription`)
  return org.state
}

/**
 * The plan and seats of a renewal. The same plan keeps its seats; another plan gets the used seats. A scheduled plan with too
 * few seats is skipped, unless it is free or already billed.
 */
function renewalOf(prices: Prices, org: SimOrg, billed?: string): { offer: Offer; seats: number } {
  const state = stateOf(org)
  const scheduled = state.scheduled ?? offerOf(state)
  const { seatPriceMinor, seatAllotment, amountMinor } = prices.of(org.currency, scheduled)
  const hasRoom = seatPriceMinor > 0n || amountMinor === 0n || org.members <= seatAllotment
  const offer =
    hasRoom || scheduled.plan === billed || scheduled.plan === state.plan ? scheduled : offerOf(state)
  const isSold = prices.of(org.currency, offer).seatPriceMinor > 0n
  const seats =
    offer.plan === state.plan
      ? Math.max(state.seats, isSold ? org.members : 0)
      : seatsAfter(prices, org, offer, org.members)
  return { offer, seats }
}

export function renewalPrice(prices: Prices, org: SimOrg, billed?: string): bigint {
  const { offer, seats } = renewalOf(prices, org, billed)
  return prices.full(org.currency, offer, seats)
}

function beginStretch(prices: Prices, org: SimOrg, from: Date): void {
  const { periodStart, periodEnd, seatsPaid, ...state } = stateOf(org)
  const priceMinor = prices.full(
    org.currency,
    offerOf({ ...state, periodStart, periodEnd, seatsPaid }),
    seatsPaid,
  )
  const seconds = Number(secondsBetween(periodStart, periodEnd))
  // After the clock went back, `from` can be before the paid period.
  org.paidTimes.push({ from: from < periodStart ? periodStart : from, to: periodEnd, priceMinor, seconds })
}

/** After the clock went back, the end can be before the start. The overlap is then not counted twice. */
function endStretch(org: SimOrg, at: Date): void {
  const last = org.paidTimes.at(-1)
  const { periodStart } = stateOf(org)
  if (last && last.to > at) last.to = at < periodStart ? periodStart : at
}

/** The value of all paid time, until the end of the current period. */
export const paidTimeValue = (org: SimOrg): number =>
  org.paidTimes.reduce(
    (sum, { from, to, priceMinor, seconds }) =>
      sum + (Number(priceMinor) * (to.getTime() - from.getTime())) / 1_000 / seconds,
    0,
  )

export const iso = (at: Date): string => at.toISOString()
