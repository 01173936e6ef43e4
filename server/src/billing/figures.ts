// What subscriptions are worth by the month.
import type { OrgId } from '../kernel/ids.ts'
import { type Currency, money, scaleHalfUp } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Alike, compedCount, liveAlike } from './figures-sql.ts'
import { planOf, priceWithSeats } from './plans.ts'

export type SubscriptionFigures = {
  currency: Currency
  /** What those in good standing are worth by the month, and how many they are. Plans that cost nothing are not among them. */
  monthlyMinor: bigint
  active: bigint
  /** The same of those whose renewal is not paid. */
  pastDueMonthlyMinor: bigint
  pastDue: bigint
}

const MONTHS = { month: 1n, year: 12n } as const

export async function subscriptionFigures(
  tx: Tx,
  org: OrgId | null,
): Promise<{ byCurrency: SubscriptionFigures[]; comped: bigint }> {
  const found = new Map<Currency, SubscriptionFigures>()
  for (const alike of await liveAlike(tx, org)) {
    const sum = found.get(alike.currency) ?? nothingIn(alike.currency)
    found.set(alike.currency, withAlike(sum, alike))
  }
  return { byCurrency: [...found.values()], comped: await compedCount(tx, org) }
}

const nothingIn = (currency: Currency): SubscriptionFigures => ({
  ...{ currency, monthlyMinor: 0n, active: 0n, pastDueMonthlyMinor: 0n, pastDue: 0n },
})

function withAlike(sum: SubscriptionFigures, alike: Alike): SubscriptionFigures {
  const eachMinor = monthlyOf(alike)
  if (eachMinor === 0n) return sum
  const { subscriptions } = alike
  const allMinor = eachMinor * subscriptions
  return alike.status === 'active'
    ? { ...sum, monthlyMinor: sum.monthlyMinor + allMinor, active: sum.active + subscriptions }
    : {
        ...sum,
        pastDueMonthlyMinor: sum.pastDueMonthlyMinor + allMinor,
        pastDue: sum.pastDue + subscriptions,
      }
}

/** Its price with all its seats, as it was sold; a year counts a twelfth, to the nearest minor unit. */
function monthlyOf({ rateCardVersion, planCode, interval, currency, seats }: Alike): bigint {
  const priceMinor = priceWithSeats(planOf(rateCardVersion, planCode, interval, currency), seats)
  return scaleHalfUp(money(priceMinor, currency), 1n, MONTHS[interval]).minor
}
