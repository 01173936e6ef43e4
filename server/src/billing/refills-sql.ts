// Statements of the monthly allowance.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { SubscriptionId } from './sql.ts'

export type DueRefill = { id: SubscriptionId; orgId: OrgId; dueAt: Date }

/** Active subscriptions that a month of allowance is due to, the longest due first. */
export function dueRefills(tx: Tx, past: DueRefill | null, most: number): Promise<DueRefill[]> {
  return tx.rows<DueRefill>`
    select id, org_id as "orgId", allowance_due_at as "dueAt" from subscriptions
    where status = 'active' and allowance_due_at <= ${tx.now}
      and (${past === null}::boolean
           or (allowance_due_at, id) > (${past?.dueAt ?? null}::timestamptz, ${past?.id ?? ''}::text))
    order by allowance_due_at, id limit ${most}`
}

export async function setAllowanceDue(tx: Tx, subscription: SubscriptionId, at: Date | null): Promise<void> {
  await tx.rows`update subscriptions set allowance_due_at = ${at} where id = ${subscription}`
}
