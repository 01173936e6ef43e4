// Money that comes in, goes out or is granted, as part of the transaction of its cause. The same cause never moves it twice.
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Id, newId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { applyOp, type Balances, balancesOf } from '../holds/holds.ts'
import type { LedgerAccount, PostingSource, WalletOp } from './apply-ops.ts'

export type EntryId = Id<'led'>

export type PostingInput = {
  readonly orgId: OrgId
  readonly amountMinor: bigint
  readonly source: PostingSource
  /** What the customer finds it by, such as the reference of the payment. */
  readonly ref: string
  /** Unique for ever over all wallets: `topup tp01h…`. */
  readonly cause: string
  /** The account on the other side. */
  readonly account: LedgerAccount
}

export type PostingResult = {
  /** Null when this cause has moved money before: then nothing happened now. */
  readonly entryId: EntryId | null
  readonly postedMinor: bigint
  readonly balances: Balances
}

/** Adds to a wallet. Throws `wallet_full` where the balance would pass what a wallet can hold. */
export async function credit(app: App, tx: Tx, move: PostingInput): Promise<PostingResult> {
  assert(move.amountMinor > 0n, 'a credit is positive')
  return post(app, tx, { ...opOf(move), kind: 'credit' })
}

/**
 * Takes what is free in a wallet: all of `amountMinor`, or with `leastMinor` as much as there is from that on. Moves
 * nothing and says 0 when there is less.
 */
export async function debit(
  app: App,
  tx: Tx,
  move: PostingInput & { leastMinor?: bigint },
): Promise<PostingResult> {
  assert(move.amountMinor > 0n, 'a debit is positive')
  return post(app, tx, { ...opOf(move), kind: 'debit', least: move.leastMinor ?? move.amountMinor })
}

/** Replaces the plan's allowance: what is left of the one before lapses, what is reserved of it still stands. */
export async function grantIncluded(
  app: App,
  tx: Tx,
  grant: Pick<PostingInput, 'orgId' | 'amountMinor' | 'ref' | 'cause'>,
): Promise<PostingResult> {
  assert(grant.amountMinor >= 0n, 'an allowance is nothing or more')
  const { orgId, amountMinor, ref, cause } = grant
  const op: WalletOp = {
    kind: 'grant',
    org: orgId,
    mid: newId('led'),
    amount: amountMinor,
    source: 'subscription',
    ref,
    cause,
  }
  return post(app, tx, op)
}

const opOf = ({ orgId, amountMinor, source, ref, cause, account }: PostingInput) => ({
  org: orgId,
  mid: newId('led'),
  amount: amountMinor,
  source,
  ref,
  cause,
  account,
})

async function post(app: App, tx: Tx, op: WalletOp): Promise<PostingResult> {
  const verdict = await applyOp(app, tx, op)
  const balances = balancesOf(verdict)
  if (verdict.verdict === 'too_much') throw new ApiError('wallet_full')
  const happened = verdict.verdict === 'moved'
  return {
    entryId: happened ? (verdict.movementId as EntryId) : null,
    postedMinor: happened ? (verdict.amountMinor ?? 0n) : 0n,
    balances,
  }
}
