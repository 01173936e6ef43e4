// The threshold of automatic top-ups. The database marks a wallet whose balance falls below it.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** Null removes it. A wallet that is below it now is due at once. */
export async function setTopupThreshold(tx: Tx, org: OrgId, thresholdMinor: bigint | null): Promise<void> {
  await tx.commitWithWallets()
  await tx.rows`select wallet_set_topup_below(${org}, ${thresholdMinor})`
}

/** The caller looks at the wallet in this transaction. Only a later posting makes it due again. */
export async function takeTopupDue(tx: Tx, org: OrgId): Promise<void> {
  await tx.commitWithWallets()
  await tx.rows`select wallet_take_topup_due(${org})`
}

export async function orgsDueForTopup(tx: Tx, limit: number): Promise<OrgId[]> {
  const rows = await tx.rows<{ orgId: OrgId }>`select org_id as "orgId" from wallet_topups_due(${limit})`
  return rows.map(({ orgId }) => orgId)
}
