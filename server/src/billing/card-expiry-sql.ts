// Cards that are about to expire, of organisations that pay with them. Needs the reach of the platform.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type Expiring = { orgId: OrgId; brand: string; last4: string; expMonth: number; expYear: number }

/**
 * Default cards that are good no longer than to this instant: those whose last month lies before its own. They count as
 * told of when the transaction commits.
 */
export function takeExpiring(tx: Tx, until: Date, most: number): Promise<Expiring[]> {
  const [year, month] = [until.getUTCFullYear(), until.getUTCMonth() + 1]
  return tx.rows<Expiring>`
    update cards set expiry_told_at = ${tx.now}
    where id in (
      select c.id from cards c join subscriptions s on s.org_id = c.org_id
      where c.removed_at is null and c.expiry_told_at is null and c.is_default
        and (c.exp_year, c.exp_month) < (${year}::int, ${month}::int)
        and s.status in ('active', 'past_due') and s.plan_code <> 'free' and not s.is_comped
      order by c.exp_year, c.exp_month, c.id limit ${most} for update of c skip locked)
    returning org_id as "orgId", brand, last4, exp_month as "expMonth", exp_year as "expYear"`
}
