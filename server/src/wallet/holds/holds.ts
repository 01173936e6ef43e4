// Reserve before the work, settle after it. A hold is the most that the work can cost: settling never takes more.
import { assert } from '../../kernel/assert.ts'
import { type Id, newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import {
  applyOps,
  type HoldSource,
  type HoldState,
  type OpResult,
  type WalletOp,
} from '../ledger/apply-ops.ts'
import { allowsAsyncCommit, type Batcher, createBatcher } from '../ledger/batcher.ts'
import { defaultThresholds } from '../low-balance/default-threshold.ts'
import { openHold } from '../sql.ts'
import type { HoldTerms, Usage } from './hold-pricing.ts'

export type HoldId = Id<'hld'>

/** What a wallet holds right now. */
export type Balances = {
  readonly balanceMinor: bigint
  readonly heldMinor: bigint
  /** Free for new work, from the wallet. */
  readonly availableMinor: bigint
  /** Free for new work, from the plan. */
  readonly includedRemainingMinor: bigint
  readonly currency: Currency
}

export type Reservation = {
  readonly orgId: OrgId
  /** Whose monthly cap it counts against; null for work that nobody in particular asked for. */
  readonly userId: UserId | null
  /** What the work is: one hold per reference for ever, so a retry finds the hold it already has. */
  readonly ref: string
  readonly source: HoldSource
  /** The most the work can cost. */
  readonly amountMinor: bigint
  /** The least that is still useful, when the work can be cut to fit. As much as there is up to `amountMinor` is held then. */
  readonly leastMinor?: bigint
  /** What was promised. Kept for explaining the charge; what is left out cannot be explained. */
  readonly terms: Partial<HoldTerms>
  /** Beyond it the hold ends by itself and nothing is charged. */
  readonly deadline: Date
}

export type Hold = {
  readonly holdId: HoldId
  readonly state: HoldState
  readonly amountMinor: bigint
  /** The part that the plan's allowance covers. */
  readonly includedMinor: bigint
  /** What was taken in the end, from allowance and wallet together; 0 while the hold is open. */
  readonly chargedMinor: bigint
}

export type ReserveResult =
  | {
      readonly ok: true
      readonly hold: Hold
      /** Only just made for sure. Otherwise it may be one that this reference had before, with the terms of then. */
      readonly isNew: boolean
      readonly balances: Balances
    }
  | {
      readonly ok: false
      /** `ended`: this reference was reserved before and is over. */
      readonly reason: 'insufficient' | 'cap_reached' | 'ended'
      /** What could be reserved at most. */
      readonly availableMinor: bigint
      readonly balances: Balances
    }

export type SettleResult = {
  readonly hold: Hold
  /** The customer's ledger entry, null when the wallet paid nothing. */
  readonly entryId: string | null
  readonly balances: Balances
}

/** Sets money aside, or says why not. One round trip; safe to repeat. */
export async function reserve(app: App, asked: Reservation): Promise<ReserveResult> {
  return toReserveResult(await getBatcher(app).run(reserveOp(asked)))
}

/** As `reserve`, as part of a transaction that holds more than that. */
export async function reserveIn(app: App, tx: Tx, asked: Reservation): Promise<ReserveResult> {
  return toReserveResult(await applyOp(app, tx, reserveOp(asked)))
}

function reserveOp(asked: Reservation): WalletOp {
  const { orgId, userId, ref, source, amountMinor, leastMinor = amountMinor, terms, deadline } = asked
  assert(
    amountMinor >= 0n && leastMinor >= 0n && leastMinor <= amountMinor,
    'a hold is a range of nothing or more',
  )
  return {
    kind: 'reserve',
    org: orgId,
    mid: newId('led'),
    id: newId('hld'),
    ref,
    usr: userId,
    source,
    amount: amountMinor,
    least: leastMinor,
    terms,
    deadline,
  }
}

function toReserveResult(verdict: OpResult): ReserveResult {
  const balances = balancesOf(verdict)
  if (verdict.verdict === 'held')
    return { ok: true, hold: holdOf(verdict), isNew: verdict.movementId !== null, balances }
  if (verdict.verdict === 'ended') return { ok: false, reason: 'ended', availableMinor: 0n, balances }
  assert(
    verdict.verdict === 'insufficient' || verdict.verdict === 'cap_reached',
    `a reserve is never ${verdict.verdict}`,
  )
  return { ok: false, reason: verdict.verdict, availableMinor: verdict.amountMinor ?? 0n, balances }
}

/**
 * Takes what the work cost, at most what was held, and lets go of the rest. A second settlement changes nothing and tells
 * the first one's outcome. A hold that has ended by its deadline is not revived: what came too late is our loss.
 */
export async function settle(
  app: App,
  asked: { orgId: OrgId; holdId: HoldId; amountMinor: bigint; usage: Usage | null },
): Promise<SettleResult> {
  return toSettleResult(app, await getBatcher(app).run(settleOp(asked)))
}

/** As `settle`, as part of a transaction that holds more than that. */
export async function settleIn(
  app: App,
  tx: Tx,
  asked: { orgId: OrgId; holdId: HoldId; amountMinor: bigint; usage: Usage | null },
): Promise<SettleResult> {
  return toSettleResult(app, await applyOp(app, tx, settleOp(asked)))
}

/** Lets go of all of it. Changes nothing when the hold has ended already. */
export async function release(app: App, asked: { orgId: OrgId; holdId: HoldId }): Promise<SettleResult> {
  return toSettleResult(app, await getBatcher(app).run(releaseOp(asked)))
}

export async function releaseIn(
  app: App,
  tx: Tx,
  asked: { orgId: OrgId; holdId: HoldId },
): Promise<SettleResult> {
  return toSettleResult(app, await applyOp(app, tx, releaseOp(asked)))
}

/** Lets go of what is still held under a name; false when nothing is. */
export async function releaseByRef(
  app: App,
  tx: Tx,
  { orgId, ref }: { orgId: OrgId; ref: string },
): Promise<boolean> {
  const open = await openHold(tx, orgId, ref)
  if (!open) return false
  await releaseIn(app, tx, { orgId, holdId: open.holdId })
  return true
}

/** Moves the deadline of an open hold further away; false when it has ended. */
export async function extendHold(
  app: App,
  asked: { orgId: OrgId; holdId: HoldId; deadline: Date },
): Promise<boolean> {
  const { orgId, holdId, deadline } = asked
  const verdict = await getBatcher(app).run({ kind: 'extend', org: orgId, mid: '', id: holdId, deadline })
  assert(verdict.verdict !== 'no_wallet', 'every organisation has a wallet')
  return verdict.verdict === 'held'
}

/** Ends an open hold whose deadline has passed; false when it is not due or has ended. */
export async function expire(app: App, asked: { orgId: OrgId; holdId: HoldId }): Promise<boolean> {
  const op: WalletOp = { kind: 'expire', org: asked.orgId, mid: newId('led'), id: asked.holdId }
  return (await getBatcher(app).run(op)).state === 'expired'
}

/** One operation in the caller's own transaction. */
export async function applyOp(app: App, tx: Tx, op: WalletOp): Promise<OpResult> {
  const [verdict] = await applyOps(tx, [op], tx.now, defaultThresholds(app))
  return verdict as OpResult
}

export const balancesOf = (verdict: OpResult): Balances => {
  assert(verdict.verdict !== 'no_wallet', 'every organisation has a wallet')
  return {
    balanceMinor: verdict.balanceMinor,
    heldMinor: verdict.heldMinor,
    availableMinor: verdict.balanceMinor - verdict.heldMinor,
    includedRemainingMinor: verdict.includedMinor - verdict.includedHeldMinor,
    currency: verdict.currency,
  }
}

const settleOp = (asked: {
  orgId: OrgId
  holdId: HoldId
  amountMinor: bigint
  usage: Usage | null
}): WalletOp => {
  assert(asked.amountMinor >= 0n, 'work costs nothing or more')
  const { orgId, holdId, amountMinor, usage } = asked
  return { kind: 'settle', org: orgId, mid: newId('led'), id: holdId, amount: amountMinor, usage }
}
const releaseOp = (asked: { orgId: OrgId; holdId: HoldId }): WalletOp => ({
  kind: 'release',
  org: asked.orgId,
  mid: newId('led'),
  id: asked.holdId,
})

function toSettleResult(app: App, verdict: OpResult): SettleResult {
  // A hold that a crash of the database took back was never charged and cannot be any more: that is our loss.
  if (verdict.verdict === 'no_hold') {
    app.log.error({}, 'wallet.hold.missing')
    return { hold: MISSING_HOLD, entryId: null, balances: balancesOf(verdict) }
  }
  assert(verdict.verdict === 'ended', `a settlement is never ${verdict.verdict}`)
  const hold = holdOf(verdict)
  const paidByWallet = hold.chargedMinor > (verdict.chargedIncludedMinor ?? 0n)
  return { hold, entryId: paidByWallet ? verdict.movementId : null, balances: balancesOf(verdict) }
}

const MISSING_HOLD: Hold = {
  holdId: 'hld_lost',
  state: 'expired',
  amountMinor: 0n,
  includedMinor: 0n,
  chargedMinor: 0n,
}

function holdOf(verdict: OpResult): Hold {
  return {
    holdId: verdict.holdId as HoldId,
    state: verdict.state as HoldState,
    amountMinor: verdict.amountMinor ?? 0n,
    includedMinor: verdict.includedPartMinor ?? 0n,
    chargedMinor: verdict.chargedMinor ?? 0n,
  }
}

// One per database of this process, because what it batches are the statements that go there.
const batchers = new WeakMap<Db, Batcher>()

function getBatcher(app: App): Batcher {
  const known = batchers.get(app.db)
  if (known) return known
  const made = createBatcher((ops) =>
    // A reserve that a crash takes back leaves work that is not charged, and nobody else any poorer.
    applyOps(app.db.direct, ops, app.clock.now(), defaultThresholds(app), ops.every(allowsAsyncCommit)),
  )
  batchers.set(app.db, made)
  return made
}
