// Prices from the public list, and the pro-rata value of a price, computed independently of the service.
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { secondsBetween } from './calendar.ts'

export const PLANS = ['free', 'pro', 'team', 'enterprise'] as const
export type PlanName = (typeof PLANS)[number]
export type Interval = 'month' | 'year'
export type Offer = { readonly plan: PlanName; readonly interval: Interval }
export const CURRENCIES = ['NGN', 'KES', 'GHS', 'ZAR'] as const
export type SimCurrency = (typeof CURRENCIES)[number]

export type PlanPrice = {
  readonly code: string
  readonly interval: string
  readonly amountMinor: bigint
  readonly includedUsageMinor: bigint
  readonly seatAllotment: number
  readonly seatPriceMinor: bigint
}

export type Prices = {
  of(currency: SimCurrency, offer: Offer): PlanPrice
  /** The price of one interval with `seats` seats. */
  full(currency: SimCurrency, offer: Offer, seats: number): bigint
  /** Smaller amounts are not charged to a card. */
  minimumCharge(currency: SimCurrency): bigint
}

/** Reads the public list once. Prices do not change during a history. */
export async function readPrices(
  server: TestServer,
  least: Readonly<Record<SimCurrency, bigint>>,
): Promise<Prices> {
  const plans = new Map<string, PlanPrice>()
  for (const currency of CURRENCIES) {
    const reply = await server.call<{ plans: PlanPrice[] }>('GET', '/public/plans', { query: { currency } })
    if (reply.status !== 200)
      throw new Error(`the public price list for ${currency} returned ${reply.status}`)
    for (const plan of reply.body.plans) plans.set(`${currency} ${plan.code} ${plan.interval}`, plan)
  }
  const of = (currency: SimCurrency, { plan, interval }: Offer): PlanPrice => {
    const found = plans.get(`${currency} ${plan} ${interval}`)
    if (!found) throw new Error(`there is no price for ${plan} per ${interval} in ${currency}`)
    return found
  }
  return {
    of,
    full(currency, offer, seats) {
      const { amountMinor, seatPriceMinor, seatAllotment } = of(currency, offer)
      return amountMinor + seatPriceMinor * BigInt(Math.max(0, seats - seatAllotment))
    },
    minimumCharge: (currency) => least[currency],
  }
}

/** The pro-rata value of a price for the remaining time, with half units rounded away from zero. */
export function shareOf(priceMinor: bigint, start: Date, end: Date, now: Date): bigint {
  const whole = secondsBetween(start, end)
  const rest = secondsBetween(now < start ? start : now, end)
  if (rest <= 0n) return 0n
  const size = priceMinor < 0n ? -priceMinor : priceMinor
  const share = (2n * size * rest + whole) / (2n * whole)
  return priceMinor < 0n ? -share : share
}

export const isHigher = (from: Offer, to: Offer): boolean => {
  const rank = PLANS.indexOf(to.plan) - PLANS.indexOf(from.plan)
  return rank > 0 || (rank === 0 && from.interval === 'month' && to.interval === 'year')
}

export const isSame = (from: Offer, to: Offer): boolean =>
  from.plan === to.plan && from.interval === to.interval
