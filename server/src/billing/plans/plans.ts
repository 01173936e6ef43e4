// The plans for sale and their prices. Prices are set in naira and converted by a rate card. A subscription keeps
// the rate card it was sold with.
import { assert } from '../../kernel/assert.ts'
import type { Currency } from '../../kernel/money.ts'
import { fromKobo, priceOf, RATE_CARDS, type RateCardVersion } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Interval } from '../calendar.ts'

export const PLAN_CODES = ['free', 'pro', 'team', 'enterprise'] as const
export type PlanCode = (typeof PLAN_CODES)[number]
export const INTERVALS = ['month', 'year'] as const

export type Plan = {
  readonly code: PlanCode
  readonly name: string
  readonly tier: 'individual' | 'team' | 'enterprise'
  readonly interval: Interval
  readonly amountMinor: bigint
  readonly currency: Currency
  /** Per month, also for a yearly plan. */
  readonly includedUsageMinor: bigint
  readonly seatAllotment: number
  /** The price of one more seat per interval; 0 if the plan sells no seats. */
  readonly seatPriceMinor: bigint
}

type Offer = Pick<Plan, 'name' | 'tier' | 'seatAllotment'> & {
  readonly monthKobo: bigint
  readonly includedKobo: bigint
  readonly seatKobo: bigint
}

// In the order of their rank: a later plan is an upgrade of an earlier one.
const OFFERS: Readonly<Record<PlanCode, Offer>> = {
  free: { name: 'Free', tier: 'individual', seatAllotment: 1, monthKobo: 0n, includedKobo: 0n, seatKobo: 0n },
  pro: {
    name: 'Pro',
    tier: 'individual',
    seatAllotment: 1,
    monthKobo: 950_000n,
    includedKobo: 1_000_000n,
    seatKobo: 0n,
  },
  team: {
    name: 'Team',
    tier: 'team',
    seatAllotment: 5,
    monthKobo: 3_200_000n,
    includedKobo: 3_500_000n,
    seatKobo: 600_000n,
  },
  enterprise: {
    name: 'Enterprise',
    tier: 'enterprise',
    seatAllotment: 20,
    monthKobo: 25_000_000n,
    includedKobo: 27_000_000n,
    seatKobo: 1_000_000n,
  },
}

/** A year costs ten months. */
const MONTHS_PAID = { month: 1n, year: 10n } as const

export const isPlanCode = (code: string): code is PlanCode => Object.hasOwn(OFFERS, code)

/** Every rate card in use must stay in the build: a subscription without its card would have no price. */
export const isRateCardVersion = (version: string): version is RateCardVersion =>
  Object.hasOwn(RATE_CARDS, version)

/** The rate card for new purchases. */
export function planRateCard(app: App): RateCardVersion {
  const { rateCard } = priceOf(app, 'open', 'NGN')
  assert(isRateCardVersion(rateCard), 'this build has the current rate card')
  return rateCard
}

export function planOf(
  version: RateCardVersion,
  code: PlanCode,
  interval: Interval,
  currency: Currency,
): Plan {
  const { name, tier, seatAllotment, monthKobo, includedKobo, seatKobo } = OFFERS[code]
  const inCurrency = (kobo: bigint) => fromKobo(version, kobo, currency).minor
  const months = MONTHS_PAID[interval]
  return {
    code,
    name,
    tier,
    interval,
    amountMinor: inCurrency(monthKobo) * months,
    currency,
    includedUsageMinor: inCurrency(includedKobo),
    seatAllotment,
    seatPriceMinor: inCurrency(seatKobo) * months,
  }
}

/** All plans in a currency: monthly ones first, then yearly ones. */
export const listPlans = (version: RateCardVersion, currency: Currency): Plan[] =>
  INTERVALS.flatMap((interval) => PLAN_CODES.map((code) => planOf(version, code, interval, currency)))

export const rankOf = (code: PlanCode): number => PLAN_CODES.indexOf(code)

/** The price of one interval with this number of seats. The plan includes the seats of its allotment. */
export const priceWithSeats = (plan: Plan, seats: number): bigint =>
  plan.amountMinor + plan.seatPriceMinor * extraSeats(plan, seats)

export const extraSeats = ({ seatAllotment }: Plan, seats: number): bigint =>
  BigInt(Math.max(0, seats - seatAllotment))
