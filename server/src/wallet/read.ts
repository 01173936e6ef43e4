// What is in a wallet.
import type { OrgId } from '../kernel/ids.ts'
import type { Sql } from '../platform/db/tx.ts'
import type { Balances } from './holds.ts'
import { wallet } from './sql.ts'

/** `sql` is a transaction or `app.db.direct`. */
export async function balances(sql: Sql, org: OrgId): Promise<Balances> {
  const row = await wallet(sql, org)
  return {
    balanceMinor: row.balanceMinor,
    heldMinor: row.heldMinor,
    availableMinor: row.balanceMinor - row.heldMinor,
    includedRemainingMinor: row.includedMinor - row.includedHeldMinor,
    currency: row.currency,
  }
}
