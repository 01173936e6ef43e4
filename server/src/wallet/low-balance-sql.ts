// Thresholds, the wallets that fell below theirs, and who is told.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'

export type Threshold = { thresholdMinor: bigint | null; currency: Currency }

/** Null follows the platform's setting. */
export function thresholdOf(tx: Tx, org: OrgId): Promise<Threshold> {
  return tx.one<Threshold>`
    select low_threshold_minor as "thresholdMinor", currency from wallets where org_id = ${org}`
}

export async function setThreshold(tx: Tx, org: OrgId, minor: bigint): Promise<void> {
  await tx.rows`select wallet_set_threshold(${org}, ${minor})`
}

export type Low = 'above' | 'crossed' | 'told'

/** Nothing else of this wallet happens until the transaction ends. */
export async function lockLow(tx: Tx, org: OrgId): Promise<Low> {
  const { low } = await tx.one<{ low: Low }>`select wallet_low(${org}) as low`
  return low
}

/** Where all that has moved since `lockLow` comes to nothing, nobody is told of it. */
export async function keepLow(tx: Tx, org: OrgId, low: Low): Promise<void> {
  await tx.rows`select wallet_keep_low(${org}, ${low})`
}

export type Crossing = {
  orgId: OrgId
  currency: Currency
  balanceMinor: bigint
  thresholdMinor: bigint | null
}

/** Crossings that wait for their mail. They count as told when the transaction commits. */
export function takeCrossings(tx: Tx, most: number): Promise<Crossing[]> {
  return tx.rows<Crossing>`
    select org_id as "orgId", currency, balance_minor as "balanceMinor", threshold_minor as "thresholdMinor"
    from wallet_take_crossings(${most})`
}
