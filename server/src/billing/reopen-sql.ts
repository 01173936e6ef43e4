// Bills that nobody pays any more: a renewal that is due once again, and checkouts that were left.
import type { OrgId } from '../kernel/ids.ts'
import type { Json, Tx } from '../platform/db/tx.ts'
import type { BillId } from './bills.ts'
import type { SubscriptionId } from './sql.ts'

/**
 * Opens the bill of a period that was given up, as it would be written today. Its tries go on being counted, so that no
 * payment of before is taken for a new one. Says when it was given up.
 */
export function reopenRenewal(
  tx: Tx,
  subscription: SubscriptionId,
  periodStart: Date,
  now: { amountMinor: bigint; lines: Json; effect: Json; baseVersion: number },
) {
  return tx.maybe<{ id: BillId; endedAt: Date }>`
    update bills b set status = 'open', amount_minor = ${now.amountMinor}, lines = ${now.lines}, effect = ${now.effect},
      base_version = ${now.baseVersion}, declines = 0, busy_until = null, next_attempt_at = null, reason = null,
      invoice_id = null, created_at = ${tx.now}, ended_at = null
    from (select id, ended_at from bills
          where subscription_id = ${subscription} and kind = 'renewal' and period_start = ${periodStart}
            and status = 'abandoned' for update) given_up
    where b.id = given_up.id returning b.id, given_up.ended_at as "endedAt"`
}

export type LeftCheckout = { id: BillId; orgId: OrgId; subscriptionId: SubscriptionId }

/** Checkouts that are open beyond their deadline and that nobody may still be paying, the oldest first. */
export function leftCheckouts(tx: Tx, most: number): Promise<LeftCheckout[]> {
  return tx.rows<LeftCheckout>`
    select b.id, b.org_id as "orgId", b.subscription_id as "subscriptionId" from bills b
    where b.kind = 'checkout' and b.status = 'open' and b.deadline <= ${tx.now}
      and not exists (select from payments p where p.bill_id = b.id and p.status in ('pending', 'review'))
    order by b.deadline, b.id limit ${most}`
}
