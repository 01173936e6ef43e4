// The one statement that moves money.
import { assert } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { json, type Sql, type Tx } from '../../platform/db/tx.ts'
import { type Balances, toBalances } from '../balances.ts'
import { defaultThresholds } from '../low-balance/default-threshold.ts'

export type HoldSource = 'agent' | 'chat' | 'index' | 'research' | 'review' | 'gateway'
export type PostingSource = HoldSource | 'topup' | 'refund' | 'adjustment' | 'subscription' | 'trial'
export type LedgerAccount =
  | `clearing:${string}`
  | 'refunds'
  | 'adjustments'
  | 'subscriptions'
  | 'reversals'
  | 'promotions'
export type HoldState = 'open' | 'settled' | 'released' | 'expired'

/** One operation on one wallet. Field names are short because every operation sends them to the database. */
export type WalletOp = { readonly org: OrgId; readonly mid: string } & (
  | {
      readonly kind: 'reserve'
      readonly id: string
      readonly ref: string
      readonly usr: string | null
      /** The API key whose budgets the hold counts against. */
      readonly key?: string | null
      /** `topup` freezes money of a disputed payment. It does not use the allowance of the plan. */
      readonly source: HoldSource | 'topup'
      readonly amount: bigint
      readonly least: bigint
      readonly terms: object
      readonly deadline: Date
    }
  | {
      readonly kind: 'settle'
      readonly id: string
      readonly amount: bigint
      readonly usage: object | null
      /** The exact cost of a charge that accrues, at most `amount`. */
      readonly exact?: string | null
    }
  | { readonly kind: 'release' | 'expire'; readonly id: string }
  | { readonly kind: 'extend'; readonly id: string; readonly deadline: Date }
  | {
      readonly kind: 'credit' | 'debit'
      readonly cause: string
      readonly ref: string
      readonly source: PostingSource
      readonly amount: bigint
      readonly least?: bigint
      readonly account: LedgerAccount
    }
  | {
      readonly kind: 'grant'
      readonly cause: string
      readonly ref: string
      readonly source: 'subscription'
      readonly amount: bigint
    }
)

export type OpResult = {
  verdict:
    | 'held'
    | 'ended'
    | 'moved'
    | 'moved_before'
    | 'insufficient'
    | 'cap_reached'
    | 'key_budget'
    | 'no_hold'
    | 'no_wallet'
    | 'too_much'
  holdId: string | null
  state: HoldState | null
  amountMinor: bigint | null
  includedPartMinor: bigint | null
  chargedMinor: bigint | null
  chargedIncludedMinor: bigint | null
  balanceMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  currency: Currency
  movementId: string | null
}

/**
 * Applies operations and returns one result each, in the same order. `sql` is a transaction, or `app.db.direct` for a
 * transaction of these operations alone. No two operations may name the same hold or cause.
 *
 * `asyncCommit` is only for `app.db.direct`: the database answers before the commit is on disk. A crash of the database
 * then loses the operations of the last few hundred milliseconds.
 */
export async function applyOps(
  sql: Sql,
  ops: readonly WalletOp[],
  at: Date,
  defaultThresholds: Readonly<Record<string, bigint>>,
  asyncCommit = false,
): Promise<OpResult[]> {
  const numbered = ops.map((op, n) => ({ n, ...op }))
  const rows = await sql.rows<OpResult & { n: number }>`
    select n, verdict, hold_id as "holdId", state, amount_minor as "amountMinor", included_part_minor as "includedPartMinor",
           charged_minor as "chargedMinor", charged_included_minor as "chargedIncludedMinor", balance_minor as "balanceMinor",
           held_minor as "heldMinor", included_minor as "includedMinor", included_held_minor as "includedHeldMinor", currency,
           movement_id as "movementId"
    from (select case when ${asyncCommit}::boolean then set_config('synchronous_commit', 'off', true) end offset 0) as first_of_all,
         wallet_apply_ops(${json(numbered)}, ${at}, ${json(defaultThresholds)})`
  const results: OpResult[] = []
  for (const { n, ...result } of rows) results[n] = result
  return results
}

/** Applies one operation in the caller's transaction. */
export async function applyOp(app: App, tx: Tx, op: WalletOp): Promise<OpResult> {
  const [result] = await applyOps(tx, [op], tx.now, defaultThresholds(app))
  return result as OpResult
}

export function balancesOf(result: OpResult): Balances {
  assert(result.verdict !== 'no_wallet', 'every organisation has a wallet')
  return toBalances(result)
}
