// Public API of billing. The monthly recurring revenue of subscriptions.
import type { OrgId } from '../kernel/ids.ts'
import { type Currency, money, scaleHalfUp } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'
import { planOf, priceWithSeats } from './plans/plans.ts'
import type { Subscription } from './subscriptions/subscriptions.ts'

export { billingChecks } from './invariants.ts'
export { listPlans, type Plan, planRateCard } from './plans/plans.ts'

export type SubscriptionFigures = {
  currency: Currency
  /** The monthly value and the number of active subscriptions. Free plans are not counted. */
  monthlyMinor: bigint
  active: bigint
  /** The same for subscriptions with an unpaid renewal. */
  pastDueMonthlyMinor: bigint
  pastDue: bigint
}

const MONTHS = { month: 1n, year: 12n } as const

export async function subscriptionFigures(
  tx: Tx,
  org: OrgId | null,
): Promise<{ byCurrency: SubscriptionFigures[]; comped: bigint }> {
  const found = new Map<Currency, SubscriptionFigures>()
  for (const group of await groupLiveSubscriptions(tx, org)) {
    const sum = found.get(group.currency) ?? zeroFigures(group.currency)
    found.set(group.currency, addGroup(sum, group))
  }
  return { byCurrency: [...found.values()], comped: await countComped(tx, org) }
}

const zeroFigures = (currency: Currency): SubscriptionFigures => ({
  ...{ currency, monthlyMinor: 0n, active: 0n, pastDueMonthlyMinor: 0n, pastDue: 0n },
})

function addGroup(sum: SubscriptionFigures, group: SubscriptionGroup): SubscriptionFigures {
  const eachMinor = monthlyPrice(group)
  if (eachMinor === 0n) return sum
  const { subscriptions } = group
  const allMinor = eachMinor * subscriptions
  return group.status === 'active'
    ? { ...sum, monthlyMinor: sum.monthlyMinor + allMinor, active: sum.active + subscriptions }
    : {
        ...sum,
        pastDueMonthlyMinor: sum.pastDueMonthlyMinor + allMinor,
        pastDue: sum.pastDue + subscriptions,
      }
}

/** The price as sold, with all seats. A year counts a twelfth, rounded half up to one minor unit. */
function monthlyPrice({ rateCardVersion, planCode, interval, currency, seats }: SubscriptionGroup): bigint {
  const priceMinor = priceWithSeats(planOf(rateCardVersion, planCode, interval, currency), seats)
  return scaleHalfUp(money(priceMinor, currency), 1n, MONTHS[interval]).minor
}

export type SubscriptionGroup = Pick<
  Subscription,
  'planCode' | 'interval' | 'rateCardVersion' | 'currency' | 'seats'
> & {
  status: 'active' | 'past_due'
  subscriptions: bigint
}

/**
 * Live subscriptions that are not comped, grouped by equal price. Without an organisation all are counted, which
 * needs the platform scope.
 */
export function groupLiveSubscriptions(tx: Tx, org: OrgId | null): Promise<SubscriptionGroup[]> {
  return tx.rows<SubscriptionGroup>`
    select plan_code as "planCode", interval, rate_card_version as "rateCardVersion", currency, seats, status,
           count(*) as subscriptions
    from subscriptions
    where status in ('active', 'past_due') and not is_comped and (${org}::text is null or org_id = ${org})
    group by plan_code, interval, rate_card_version, currency, seats, status`
}

/** The number of live comped subscriptions. */
export async function countComped(tx: Tx, org: OrgId | null): Promise<bigint> {
  const { n } = await tx.one<{ n: bigint }>`
    select count(*) as n from subscriptions
    where status = 'active' and is_comped and (${org}::text is null or org_id = ${org})`
  return n
}
