// Reserve before the work, settle after it. A hold is the maximum cost of the work: settling never takes more.
import { assert } from '../../kernel/assert.ts'
import { type Id, type KeyId, newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import type { Balances } from '../balances.ts'
import {
  applyOp,
  applyOps,
  balancesOf,
  type HoldSource,
  type HoldState,
  type OpResult,
  type WalletOp,
} from '../ledger/apply-ops.ts'
import { allowsAsyncCommit, type Batcher, createBatcher } from '../ledger/batcher.ts'
import { createShardBatcher } from '../ledger/shard-batcher.ts'
import { defaultThresholds } from '../low-balance/default-threshold.ts'
import type { HoldTerms, Usage } from './hold-pricing.ts'

export type HoldId = Id<'hld'>

type HoldRef = { readonly orgId: OrgId; readonly holdId: HoldId }

export type Reservation = {
  readonly orgId: OrgId
  /** The member whose monthly cap the hold counts against, or null for work without a member. */
  readonly userId: UserId | null
  /** The API key that started the work. The hold counts against its budget and those of the keys that created it. */
  readonly keyId?: KeyId | null | undefined
  /** Identifies the work. A reference has one hold for all time, so a retry finds the hold of the first attempt. */
  readonly ref: string
  readonly source: HoldSource
  /** The maximum cost of the work. */
  readonly amountMinor: bigint
  /** The minimum, for work that can be cut to fit. The hold then takes the available money, up to `amountMinor`. */
  readonly leastMinor?: bigint
  /** The quoted price and limits. They are stored to explain the charge later; missing terms cannot be explained. */
  readonly terms: Partial<HoldTerms>
  /** After it the hold expires and nothing is charged. */
  readonly deadline: Date
}

export type Hold = {
  readonly holdId: HoldId
  readonly state: HoldState
  readonly amountMinor: bigint
  /** The part that the allowance of the plan covers. */
  readonly includedMinor: bigint
  /** The final charge to allowance and wallet together. 0 while the hold is open. */
  readonly chargedMinor: bigint
}

export type ReserveResult =
  | {
      readonly ok: true
      readonly hold: Hold
      /** True: this call made the hold. False: it may be an earlier hold of this reference, with its terms. */
      readonly isNew: boolean
      readonly balances: Balances
    }
  | {
      readonly ok: false
      /** `ended`: the hold of this reference has ended. */
      readonly reason: 'insufficient' | 'cap_reached' | 'key_budget' | 'ended'
      /** The most that can be reserved now. */
      readonly availableMinor: bigint
      readonly balances: Balances
    }

export type Settlement = HoldRef & {
  /** With `exactCost`, the most that is charged. */
  readonly amountMinor: bigint
  /** Set for a charge that accrues: its cost without rounding, in minor units. */
  readonly exactCost?: string | null
  readonly usage: Usage | null
}

export type SettleResult = {
  readonly hold: Hold
  /**
   * The posting that explains the charge, or null if the wallet paid nothing. An accrued charge is always explained: earlier ones
   * may have paid for it.
   */
  readonly entryId: string | null
  readonly balances: Balances
}

/** Reserves money, or returns the reason for refusing. One round trip, idempotent by `ref`. */
export async function reserve(app: App, input: Reservation): Promise<ReserveResult> {
  return toReserveResult(await getBatcher(app).run(reserveOp(input)))
}

/** Like `reserve`, in the caller's transaction. */
export async function reserveIn(app: App, tx: Tx, input: Reservation): Promise<ReserveResult> {
  return toReserveResult(await applyOp(app, tx, reserveOp(input)))
}

function reserveOp(input: Reservation): WalletOp {
  const { orgId, userId, keyId = null, ref, source, amountMinor, leastMinor = amountMinor } = input
  const { terms, deadline } = input
  assert(
    amountMinor >= 0n && leastMinor >= 0n && leastMinor <= amountMinor,
    'a hold needs 0 <= leastMinor <= amountMinor',
  )
  return {
    kind: 'reserve',
    org: orgId,
    mid: newId('led'),
    id: newId('hld'),
    ref,
    usr: userId,
    key: keyId,
    source,
    amount: amountMinor,
    least: leastMinor,
    terms,
    deadline,
  }
}

function toReserveResult(result: OpResult): ReserveResult {
  const balances = balancesOf(result)
  if (result.verdict === 'held')
    return { ok: true, hold: holdOf(result), isNew: result.movementId !== null, balances }
  if (result.verdict === 'ended') return { ok: false, reason: 'ended', availableMinor: 0n, balances }
  const { verdict: reason } = result
  assert(
    reason === 'insufficient' || reason === 'cap_reached' || reason === 'key_budget',
    `a reserve is never ${reason}`,
  )
  return { ok: false, reason, availableMinor: result.amountMinor ?? 0n, balances }
}

/**
 * Charges the cost of the work, at most the held amount, and releases the rest. A second settlement changes nothing and
 * returns the result of the first. An expired hold stays expired: a late settlement charges nothing, at our loss.
 */
export async function settle(app: App, input: Settlement): Promise<SettleResult> {
  return toSettleResult(app, await getBatcher(app).run(settleOp(input)), isAccrued(input))
}

/** Like `settle`, in the caller's transaction. */
export async function settleIn(app: App, tx: Tx, input: Settlement): Promise<SettleResult> {
  return toSettleResult(app, await applyOp(app, tx, settleOp(input)), isAccrued(input))
}

/** Releases the whole hold. A hold that has ended does not change. */
export async function release(app: App, input: HoldRef): Promise<SettleResult> {
  return toSettleResult(app, await getBatcher(app).run(releaseOp(input)))
}

export async function releaseIn(app: App, tx: Tx, input: HoldRef): Promise<SettleResult> {
  return toSettleResult(app, await applyOp(app, tx, releaseOp(input)))
}

/** Releases the open hold of a reference. False if it has none. */
export async function releaseByRef(
  app: App,
  tx: Tx,
  { orgId, ref }: { orgId: OrgId; ref: string },
): Promise<boolean> {
  const open = await tx.maybe<{ holdId: HoldId }>`
    select id as "holdId" from holds where org_id = ${orgId} and ref = ${ref} and state = 'open'`
  if (!open) return false
  await releaseIn(app, tx, { orgId, holdId: open.holdId })
  return true
}

/**
 * Releases every open hold whose reference starts with the prefix, and returns their number. A process that died or
 * stalled may have left more than one.
 */
export async function releaseByPrefix(
  app: App,
  tx: Tx,
  { orgId, prefix }: { orgId: OrgId; prefix: string },
): Promise<number> {
  const open = await tx.rows<{ holdId: HoldId }>`
    select id as "holdId" from holds
    where org_id = ${orgId} and state = 'open' and starts_with(ref, ${prefix}) order by id`
  for (const { holdId } of open) await releaseIn(app, tx, { orgId, holdId })
  return open.length
}

/** The API key that placed a hold; null for a hold without one. */
export async function keyOfHold(tx: Tx, { orgId, holdId }: HoldRef): Promise<KeyId | null> {
  const found = await tx.maybe<{ keyId: KeyId | null }>`
    select key_ids[1] as "keyId" from holds where org_id = ${orgId} and id = ${holdId}`
  return found?.keyId ?? null
}

/** Moves the deadline of an open hold later, never earlier. False if the hold has ended. */
export async function extendHold(app: App, input: HoldRef & { deadline: Date }): Promise<boolean> {
  const { orgId, holdId, deadline } = input
  const result = await getBatcher(app).run({ kind: 'extend', org: orgId, mid: '', id: holdId, deadline })
  assert(result.verdict !== 'no_wallet', 'every organisation has a wallet')
  return result.verdict === 'held'
}

/** Ends an open hold after its deadline. False if it is not due or has ended. */
export async function expire(app: App, input: HoldRef): Promise<boolean> {
  const op: WalletOp = { kind: 'expire', org: input.orgId, mid: newId('led'), id: input.holdId }
  return (await getBatcher(app).run(op)).state === 'expired'
}

const settleOp = (input: Settlement): WalletOp => {
  assert(input.amountMinor >= 0n, 'a settled amount must not be negative')
  const { orgId, holdId, amountMinor, usage, exactCost } = input
  const op = {
    kind: 'settle',
    org: orgId,
    mid: newId('led'),
    id: holdId,
    amount: amountMinor,
    usage,
  } as const
  return exactCost ? { ...op, exact: exactCost } : op
}
const isAccrued = ({ exactCost }: Settlement): boolean => Boolean(exactCost)
const releaseOp = (input: HoldRef): WalletOp => ({
  kind: 'release',
  org: input.orgId,
  mid: newId('led'),
  id: input.holdId,
})

function toSettleResult(app: App, result: OpResult, isExplained = false): SettleResult {
  // A crash of the database can lose a hold (see allowsAsyncCommit). It cannot be charged any more, at our loss.
  if (result.verdict === 'no_hold') {
    app.log.error({}, 'wallet.hold.missing')
    return { hold: MISSING_HOLD, entryId: null, balances: balancesOf(result) }
  }
  assert(result.verdict === 'ended', `a settlement is never ${result.verdict}`)
  const hold = holdOf(result)
  const paidByWallet = hold.chargedMinor > (result.chargedIncludedMinor ?? 0n)
  const hasEntry = paidByWallet || (isExplained && hold.state === 'settled')
  return { hold, entryId: hasEntry ? result.movementId : null, balances: balancesOf(result) }
}

const MISSING_HOLD: Hold = {
  holdId: 'hld_lost',
  state: 'expired',
  amountMinor: 0n,
  includedMinor: 0n,
  chargedMinor: 0n,
}

function holdOf(result: OpResult): Hold {
  return {
    holdId: result.holdId as HoldId,
    state: result.state as HoldState,
    amountMinor: result.amountMinor ?? 0n,
    includedMinor: result.includedPartMinor ?? 0n,
    chargedMinor: result.chargedMinor ?? 0n,
  }
}

// One per database of this process: a batch is one statement to one database.
const batchers = new WeakMap<Db, Pick<Batcher, 'run'>>()

function getBatcher(app: App): Pick<Batcher, 'run'> {
  const existing = batchers.get(app.db)
  if (existing) return existing
  // A hold that a crash loses only means work that is not charged. No customer loses money.
  const apply = (ops: readonly WalletOp[]) =>
    applyOps(app.db, ops, app.clock.now(), defaultThresholds(app), ops.every(allowsAsyncCommit))
  const batcher = app.db.shards ? createShardBatcher(app.db.shards, apply) : createBatcher(apply)
  batchers.set(app.db, batcher)
  return batcher
}
