// How many subscriptions of each kind there are. Without an organisation all are counted, with the reach of the platform.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Subscription } from './sql.ts'

export type Alike = Pick<Subscription, 'planCode' | 'interval' | 'rateCardVersion' | 'currency' | 'seats'> & {
  status: 'active' | 'past_due'
  subscriptions: bigint
}

/** Those that are not given away, and live now. Who pays the same is counted together. */
export function liveAlike(tx: Tx, org: OrgId | null): Promise<Alike[]> {
  return tx.rows<Alike>`
    select plan_code as "planCode", interval, rate_card_version as "rateCardVersion", currency, seats, status,
           count(*) as subscriptions
    from subscriptions
    where status in ('active', 'past_due') and not is_comped and (${org}::text is null or org_id = ${org})
    group by plan_code, interval, rate_card_version, currency, seats, status`
}

/** How many comped subscriptions are live now. */
export async function compedCount(tx: Tx, org: OrgId | null): Promise<bigint> {
  const { n } = await tx.one<{ n: bigint }>`
    select count(*) as n from subscriptions
    where status = 'active' and is_comped and (${org}::text is null or org_id = ${org})`
  return n
}
