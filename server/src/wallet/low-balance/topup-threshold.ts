// The threshold of automatic top-ups. The database marks a wallet whose balance falls below it.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { visitWallets } from '../../platform/db/citus/visit-shards.ts'
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

/** Up to `limit` of each shard. */
export async function orgsDueForTopup(app: App, limit: number): Promise<OrgId[]> {
  const due = await visitWallets(app, (read) =>
    read((sql) => sql.rows<{ orgId: OrgId }>`select org_id as "orgId" from wallet_topups_due(${limit})`),
  )
  return due.flat().map(({ orgId }) => orgId)
}
