// The one statement that moves money.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { json, type Sql } from '../../platform/db/tx.ts'

export type HoldSource = 'agent' | 'chat' | 'index' | 'research' | 'review' | 'gateway'
export type PostingSource = HoldSource | 'topup' | 'refund' | 'adjustment' | 'subscription'
export type LedgerAccount = `clearing:${string}` | 'refunds' | 'adjustments' | 'subscriptions' | 'reversals'
export type HoldState = 'open' | 'settled' | 'released' | 'expired'

/** One operation on one wallet. Names are short because they travel with every one. */
export type WalletOp = { readonly org: OrgId; readonly mid: string } & (
  | {
      readonly kind: 'reserve'
      readonly id: string
      readonly ref: string
      readonly usr: string | null
      /** `topup` freezes money of a disputed payment, and leaves the plan's allowance alone. */
      readonly source: HoldSource | 'topup'
      readonly amount: bigint
      readonly least: bigint
      readonly terms: object
      readonly deadline: Date
    }
  | { readonly kind: 'settle'; readonly id: string; readonly amount: bigint; readonly usage: object | null }
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
 * Applies operations and says of each, in their order, what came of it. In a transaction they belong to it; alone they
 * are one of their own. No two may name the same hold or cause. `isLight`, only where they are alone: they are answered
 * before they are on disk, and some hundred milliseconds of them are lost when the database crashes.
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
  const verdicts: OpResult[] = []
  for (const { n, ...verdict } of rows) verdicts[n] = verdict
  return verdicts
}
