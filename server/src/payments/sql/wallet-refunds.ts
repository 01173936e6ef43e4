// Statements of refunds and adjustments.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** One that is closed has nobody who could spend anything. */
export async function isOpenOrg(tx: Tx, id: OrgId): Promise<boolean> {
  return (await tx.maybe`select 1 as found from orgs where id = ${id} and closed_at is null`) !== undefined
}

/** The payment must be locked. The table itself refuses more than was captured. */
export async function addRefunded(tx: Tx, reference: string, amountMinor: bigint): Promise<void> {
  await tx.rows`update payments set refunded_minor = refunded_minor + ${amountMinor} where reference = ${reference}`
}

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
