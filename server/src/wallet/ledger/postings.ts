// Credits, debits and allowance grants in the transaction of their cause. A cause is posted at most once.
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Id, newId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Balances } from '../balances.ts'
import { applyOp, balancesOf, type LedgerAccount, type PostingSource, type WalletOp } from './apply-ops.ts'

export type EntryId = Id<'led'>

export type PostingInput = {
  readonly orgId: OrgId
  readonly amountMinor: bigint
  readonly source: PostingSource
  /** The reference that the customer sees, such as that of the payment. */
  readonly ref: string
  /** Unique over all wallets and all time: `topup tp01h…`. */
  readonly cause: string
  /** The counter account. */
  readonly account: LedgerAccount
}

export type PostingResult = {
  /** Null if nothing was posted: the cause was posted before, or the free balance is too low for a debit. */
  readonly entryId: EntryId | null
  readonly postedMinor: bigint
  readonly balances: Balances
}

/** Adds to a wallet. Throws `wallet_full` if the balance would exceed the limit of a wallet. */
export async function credit(app: App, tx: Tx, input: PostingInput): Promise<PostingResult> {
  assert(input.amountMinor > 0n, 'a credit must be positive')
  return post(app, tx, { ...opOf(input), kind: 'credit' })
}

/**
 * Takes `amountMinor` from the free balance. With `leastMinor`, takes the free balance if it is between the two. With less,
 * posts nothing and returns `postedMinor: 0n`.
 */
export async function debit(
  app: App,
  tx: Tx,
  input: PostingInput & { leastMinor?: bigint },
): Promise<PostingResult> {
  assert(input.amountMinor > 0n, 'a debit must be positive')
  return post(app, tx, { ...opOf(input), kind: 'debit', least: input.leastMinor ?? input.amountMinor })
}

/** Replaces the allowance of the plan. The rest of the previous allowance lapses; holds on it stay valid. */
export async function grantIncluded(
  app: App,
  tx: Tx,
  grant: Pick<PostingInput, 'orgId' | 'amountMinor' | 'ref' | 'cause'>,
): Promise<PostingResult> {
  assert(grant.amountMinor >= 0n, 'an allowance must not be negative')
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
  const result = await applyOp(app, tx, op)
  const balances = balancesOf(result)
  if (result.verdict === 'too_much') throw new ApiError('wallet_full')
  const isPosted = result.verdict === 'moved'
  return {
    entryId: isPosted ? (result.movementId as EntryId) : null,
    postedMinor: isPosted ? (result.amountMinor ?? 0n) : 0n,
    balances,
  }
}
