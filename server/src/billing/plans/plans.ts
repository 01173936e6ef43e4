// What is sold, and for how much. Prices are set in naira; the rate card that a price was read from converts them, and a
// subscription keeps the card it was sold at.
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
  /** Of every month, also where a year is paid at once. */
  readonly includedUsageMinor: bigint
  readonly seatAllotment: number
  /** Of one more seat for one interval; 0 where no seats are sold. */
  readonly seatPriceMinor: bigint
}

type Offer = Pick<Plan, 'name' | 'tier' | 'seatAllotment'> & {
  readonly monthKobo: bigint
  readonly includedKobo: bigint
  readonly seatKobo: bigint
}

// In the order of their rank: a later one is an upgrade of an earlier one.
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

/** A version that this build no longer ships would have no price; those in use are never taken out of a build. */
export const isRateCardVersion = (version: string): version is RateCardVersion =>
  Object.hasOwn(RATE_CARDS, version)

/** The card by which something is sold now. */
export function currentRateCard(app: App): RateCardVersion {
  const { rateCard } = priceOf(app, 'open', 'NGN')
  assert(isRateCardVersion(rateCard), 'the card in force is one of this build')
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

/** All that is sold in a currency: by the month first, then by the year. */
export const listPlans = (version: RateCardVersion, currency: Currency): Plan[] =>
  INTERVALS.flatMap((interval) => PLAN_CODES.map((code) => planOf(version, code, interval, currency)))

export const rankOf = (code: PlanCode): number => PLAN_CODES.indexOf(code)

/** What one interval of a plan with so many seats costs. Seats within the allotment are part of the plan. */
export const priceWithSeats = (plan: Plan, seats: number): bigint =>
  plan.amountMinor + plan.seatPriceMinor * extraSeats(plan, seats)

export const extraSeats = ({ seatAllotment }: Plan, seats: number): bigint =>
  BigInt(Math.max(0, seats - seatAllotment))
