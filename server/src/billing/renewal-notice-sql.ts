// Years that are about to be renewed.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { SubscriptionId } from './sql.ts'

export type Ending = { id: SubscriptionId; orgId: OrgId }

/** Paid years that end by then and were not announced, the earliest first. */
export function endingYears(tx: Tx, until: Date, most: number): Promise<Ending[]> {
  return tx.rows<Ending>`
    select id, org_id as "orgId" from subscriptions
    where status = 'active' and interval = 'year' and period_end > ${tx.now} and period_end <= ${until}
      and renewal_told_for is distinct from period_end
    order by period_end, id limit ${most}`
}

/** Counts as announced when the transaction commits. */
export async function markTold(tx: Tx, subscription: SubscriptionId): Promise<void> {
  await tx.rows`update subscriptions set renewal_told_for = period_end where id = ${subscription}`
}

/** Whether the year that is running was announced before. */
export async function isTold(tx: Tx, subscription: SubscriptionId): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from subscriptions where id = ${subscription} and renewal_told_for = period_end`
  return found !== undefined
}
