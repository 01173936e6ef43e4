// What is in a wallet.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { Balances } from './holds/holds.ts'
import { capRoom, lock, wallet } from './sql.ts'

/** `sql` is a transaction or `app.db.direct`. */
export async function readBalances(sql: Sql, org: OrgId): Promise<Balances> {
  const row = await wallet(sql, org)
  return {
    balanceMinor: row.balanceMinor,
    heldMinor: row.heldMinor,
    availableMinor: row.balanceMinor - row.heldMinor,
    includedRemainingMinor: row.includedMinor - row.includedHeldMinor,
    currency: row.currency,
  }
}

/** What a member could spend right now: free in the wallet and in the plan, within their cap of the month. */
export async function readSpendable(
  tx: Tx,
  org: OrgId,
  user: UserId,
): Promise<Balances & { spendableMinor: bigint }> {
  const held = await readBalances(tx, org)
  const room = await capRoom(tx, org, user)
  const freeMinor = held.availableMinor + held.includedRemainingMinor
  return { ...held, spendableMinor: room !== null && room < freeMinor ? room : freeMinor }
}

/** Nothing else of this wallet happens until the transaction ends, so that what is read of it stays true. */
export const lockWallet = (tx: Tx, org: OrgId): Promise<void> => lock(tx, org)
