// What wallets say, read back.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'

export type WalletRow = {
  balanceMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  currency: Currency
}

/** One round trip, in a transaction or without one. */
export function wallet(sql: Sql, org: OrgId): Promise<WalletRow> {
  return sql.one<WalletRow>`
    select balance_minor as "balanceMinor", held_minor as "heldMinor", included_minor as "includedMinor",
           included_held_minor as "includedHeldMinor", currency
    from wallet_balances(${org})`
}

export type DueHold = { orgId: OrgId; holdId: `hld_${string}` }

/** Open holds beyond their deadline, the oldest first. */
export function dueHolds(tx: Tx, most: number): Promise<DueHold[]> {
  return tx.rows<DueHold>`
    select org_id as "orgId", id as "holdId" from holds
    where state = 'open' and deadline <= ${tx.now} order by deadline limit ${most}`
}
