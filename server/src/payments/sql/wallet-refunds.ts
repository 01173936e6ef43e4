// Statements on the wallet_refunds table: refunds and adjustments by staff.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type RefundRow = {
  id: string
  orgId: OrgId
  source: 'refund' | 'adjustment'
  reference: string | null
  amountMinor: bigint
  reason: string
  actorUserId: UserId
  entryId: string
}

export async function insertRefund(tx: Tx, row: RefundRow): Promise<void> {
  await tx.rows`
    insert into wallet_refunds (id, org_id, source, reference, amount_minor, reason, actor_user_id, entry_id, created_at)
    values (${row.id}, ${row.orgId}, ${row.source}, ${row.reference}, ${row.amountMinor}, ${row.reason},
            ${row.actorUserId}, ${row.entryId}, ${tx.now})`
}
