// The one statement that moves money.
import { assert } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Db, json, type Sql, type Tx } from '../../platform/db/tx.ts'
import { type Balances, toBalances } from '../balances.ts'
import { defaultThresholds } from '../low-balance/default-threshold.ts'
import { applyToShards } from './shards.ts'

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

type Thresholds = Readonly<Record<string, bigint>>

/**
 * Applies operations in a separate transaction and returns one result each, in the same order. No two operations may name the
 * same hold or cause. Operations on wallets of several shards are one transaction for each shard.
 *
 * `asyncCommit`: the database answers before the commit is on disk. A crash of the database then loses the operations of the last
 * few hundred milliseconds.
 */
export async function applyOps(
  { direct, shards }: Pick<Db, 'direct' | 'shards'>,
  ops: readonly WalletOp[],
  at: Date,
  defaultThresholds: Thresholds,
  asyncCommit = false,
): Promise<OpResult[]> {
  const apply = (sql: Sql, part: readonly WalletOp[]) =>
    applyTo(sql, part, at, defaultThresholds, asyncCommit)
  return shards ? applyToShards(shards, ops, apply) : apply(direct, ops)
}

/** Applies one operation in the caller's transaction. */
export async function applyOp(app: App, tx: Tx, op: WalletOp): Promise<OpResult> {
  const thresholds = defaultThresholds(app)
  const [result] = app.db.shards
    ? await applyFromCoordinator(tx, op, thresholds)
    : await applyTo(tx, [op], tx.now, thresholds, false)
  return result as OpResult
}

async function applyTo(
  sql: Sql,
  ops: readonly WalletOp[],
  at: Date,
  defaultThresholds: Thresholds,
  asyncCommit: boolean,
): Promise<OpResult[]> {
  return inOrder(
    await sql.rows<VerdictRow>`
      select n, verdict, hold_id, state, amount_minor, included_part_minor, charged_minor, charged_included_minor, balance_minor,
             held_minor, included_minor, included_held_minor, currency, movement_id
      from (select case when ${asyncCommit}::boolean then set_config('synchronous_commit', 'off', true) end offset 0) as first_of_all,
           wallet_apply_ops(${json(numbered(ops))}, ${at}, ${json(defaultThresholds)})`,
  )
}

/** Citus runs the function at the node of the wallet only in a statement of this form. */
async function applyFromCoordinator(
  tx: Tx,
  op: WalletOp,
  defaultThresholds: Thresholds,
): Promise<OpResult[]> {
  const cause = 'cause' in op ? op.cause : null
  const { elsewhere } = await tx.one<{
    elsewhere: boolean
  }>`select citus_begin_posting(${op.org}, ${cause}) as elsewhere`
  // Another wallet has posted the cause. An operation without effect reads the balances of this one.
  const sent: WalletOp = elsewhere ? { kind: 'release', org: op.org, mid: op.mid, id: '' } : op
  const results = inOrder(
    await tx.rows<VerdictRow>`
      select n, verdict, hold_id, state, amount_minor, included_part_minor, charged_minor, charged_included_minor, balance_minor,
             held_minor, included_minor, included_held_minor, currency, movement_id
      from wallet_apply_org(${op.org}, ${json(numbered([sent]))}, ${tx.now}, ${json(defaultThresholds)})`,
  )
  if (elsewhere) return results.map((result) => ({ ...result, verdict: 'moved_before' }))
  if (cause !== null && results[0]?.verdict === 'moved')
    await tx.rows`select citus_end_posting(${op.org}, ${cause})`
  return results
}

/** A row of `wallet_verdict`. */
type VerdictRow = {
  n: number
  verdict: OpResult['verdict']
  hold_id: string | null
  state: HoldState | null
  amount_minor: bigint | null
  included_part_minor: bigint | null
  charged_minor: bigint | null
  charged_included_minor: bigint | null
  balance_minor: bigint
  held_minor: bigint
  included_minor: bigint
  included_held_minor: bigint
  currency: Currency
  movement_id: string | null
}

/** Amounts are sent as text: printing a bigint as a JSON number takes four times as long. */
function numbered(ops: readonly WalletOp[]): object[] {
  return ops.map((op, n) => {
    const sent: Record<string, unknown> = { n, ...op }
    if ('amount' in op) sent.amount = String(op.amount)
    if ('least' in op && op.least !== undefined) sent.least = String(op.least)
    return sent
  })
}

function inOrder(rows: readonly VerdictRow[]): OpResult[] {
  const results: OpResult[] = []
  for (const row of rows) {
    results[row.n] = {
      verdict: row.verdict,
      holdId: row.hold_id,
      state: row.state,
      amountMinor: row.amount_minor,
      includedPartMinor: row.included_part_minor,
      chargedMinor: row.charged_minor,
      chargedIncludedMinor: row.charged_included_minor,
      balanceMinor: row.balance_minor,
      heldMinor: row.held_minor,
      includedMinor: row.included_minor,
      includedHeldMinor: row.included_held_minor,
      currency: row.currency,
      movementId: row.movement_id,
    }
  }
  return results
}

export function balancesOf(result: OpResult): Balances {
  assert(result.verdict !== 'no_wallet', 'every organisation has a wallet')
  return toBalances(result)
}
