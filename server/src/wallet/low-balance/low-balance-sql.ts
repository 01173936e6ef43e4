// Thresholds, the wallets that fell below theirs, and who is told.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type Threshold = { thresholdMinor: bigint | null; currency: Currency }

/** Null follows the platform's setting. */
export function readThreshold(tx: Tx, org: OrgId): Promise<Threshold> {
  return tx.one<Threshold>`
    select low_threshold_minor as "thresholdMinor", currency from wallets where org_id = ${org}`
}

export async function setThreshold(tx: Tx, org: OrgId, minor: bigint): Promise<void> {
  await tx.rows`select wallet_set_threshold(${org}, ${minor})`
}

export type LowBalanceState = 'above' | 'crossed' | 'told'

/** Nothing else of this wallet happens until the transaction ends. */
export async function lockLowBalanceState(tx: Tx, org: OrgId): Promise<LowBalanceState> {
  const { low } = await tx.one<{ low: LowBalanceState }>`select wallet_low(${org}) as low`
  return low
}

/** Where all that has moved since `lockLow` comes to nothing, nobody is told of it. */
export async function updateLowBalanceState(tx: Tx, org: OrgId, low: LowBalanceState): Promise<void> {
  await tx.rows`select wallet_keep_low(${org}, ${low})`
}

export type LowBalanceCrossing = {
  orgId: OrgId
  currency: Currency
  balanceMinor: bigint
  thresholdMinor: bigint | null
}

/** Crossings that wait for their mail. They count as told when the transaction commits. */
export function claimCrossings(tx: Tx, most: number): Promise<LowBalanceCrossing[]> {
  return tx.rows<LowBalanceCrossing>`
    select org_id as "orgId", currency, balance_minor as "balanceMinor", threshold_minor as "thresholdMinor"
    from wallet_take_crossings(${most})`
}
