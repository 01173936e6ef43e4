// A metered turn: the worst case is held before the model is asked, and the real usage is charged at the price of the hold.
// All spending on models uses these functions.
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { KeyId, OrgId, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import {
  affordableOutput,
  type ClassPrices,
  calculateCharge,
  type Hold,
  type HoldId,
  type HoldSource,
  HoldTerms,
  maxTurnCost,
  minorOf,
  priceOfTerms,
  type Reservation,
  type ReserveResult,
  readHoldTerms,
  release,
  releaseIn,
  reserve,
  reserveIn,
  type SettleResult,
  settle,
  settleIn,
  type TokenPrice,
  type Usage,
} from '../../wallet/wallet.ts'
import { type Lane, priceOf } from '../price.ts'
import type { CallRecord } from '../requests/call-record.ts'

export type TurnRequest = {
  readonly orgId: OrgId
  /** The member whose monthly cap applies; null for work without one. */
  readonly userId: UserId | null
  /** The API key whose budget and token rate apply. */
  readonly keyId?: KeyId | null | undefined
  /** The reference of the turn. A retry with the same reference finds its hold, at the original price. */
  readonly ref: string
  readonly source: HoldSource
  /** Set for work that is quoted before. */
  readonly workKind?: HoldTerms['workKind']
  readonly lane: Lane
  readonly model: string
  /** The prices of the model by token class. Null or absent: the single price of the lane. */
  readonly classPrices?: ClassPrices | null
  readonly currency: Currency
  readonly promptTokens: number
  readonly outputCeiling: number
  /** The shortest useful output. */
  readonly leastOutput: number
  /** The usage of the run so far, from its last settlement; 0 in the first turn. */
  readonly spentMicroKobo: bigint
  readonly deadline: Date
  /** Its row in the request log. */
  readonly record?: CallRecord | undefined
}

export type Turn = {
  readonly orgId: OrgId
  readonly keyId: KeyId | null
  readonly record: CallRecord | undefined
  readonly hold: Hold
  readonly terms: HoldTerms
  readonly price: TokenPrice
  /** The output that the hold covers: the requested ceiling, or less when the balance is lower. */
  readonly outputCeiling: number
  /** The highest possible charge of the turn. */
  readonly maxMinor: bigint
}

export type TurnUsage = Pick<Usage, 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens'> & {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Set when another model answered. */
  readonly model?: string
}

export type SettledTurn = SettleResult & {
  readonly chargedMinor: bigint
  /** The usage of the run including this turn, for the next turn. */
  readonly spentMicroKobo: bigint
}

const TOKENS_MAX = 1_000_000_000

/**
 * Holds the worst case of a turn: prompt and ceiling on top of the usage of its run. If the balance covers only
 * `leastOutput`, the ceiling is lowered. Otherwise throws with the required and the available amount.
 */
export async function reserveTurn(app: App, asked: TurnRequest): Promise<Turn> {
  const { reservation, leastMinor, terms } = reservationOf(app, asked)
  try {
    const held = requireReserved(asked, await reserve(app, reservation), leastMinor)
    return await turnHeld(app, asked, terms, held)
  } catch (error) {
    asked.record?.fail(error)
    throw error
  }
}

/** As `reserveTurn`, with the money of an earlier hold. One transaction, so that no other call can take it. */
export async function reserveTurnFrom(app: App, asked: TurnRequest, aside: HoldId): Promise<Turn> {
  const { reservation, leastMinor, terms } = reservationOf(app, asked)
  const held = await app.db.tx(asked.orgId, async (tx) => {
    await releaseIn(app, tx, { orgId: asked.orgId, holdId: aside })
    return requireReserved(asked, await reserveIn(app, tx, reservation), leastMinor)
  })
  return turnHeld(app, asked, terms, held)
}

function reservationOf(app: App, asked: TurnRequest) {
  const { orgId, userId, keyId, ref, source, promptTokens, outputCeiling, leastOutput, deadline } = asked
  assert(
    leastOutput <= outputCeiling && promptTokens + outputCeiling <= TOKENS_MAX,
    'a turn has a range of tokens',
  )
  const price = priceOf(app, asked.lane, asked.currency, asked.classPrices)
  const terms = termsFor(price, asked)
  const worst = (output: number) => maxTurnCost(price, asked.spentMicroKobo, promptTokens, output)
  const leastMinor = worst(leastOutput)
  const amountMinor = worst(outputCeiling)
  const reservation: Reservation = {
    orgId,
    userId,
    keyId,
    ref,
    source,
    amountMinor,
    leastMinor,
    terms,
    deadline,
  }
  return { reservation, leastMinor, terms }
}

type ReservedHold = { readonly hold: Hold; readonly isNew: boolean }

function requireReserved(asked: TurnRequest, reserved: ReserveResult, leastMinor: bigint): ReservedHold {
  assert(reserved.balances.currency === asked.currency, 'a turn is priced in the currency of its wallet')
  if (!reserved.ok) throw reservationError(reserved, leastMinor)
  return reserved
}

async function turnHeld(
  app: App,
  { orgId, keyId = null, record }: TurnRequest,
  terms: HoldTerms,
  { hold, isNew }: ReservedHold,
): Promise<Turn> {
  return { ...turnOf(orgId, hold, isNew ? terms : await storedTerms(app, orgId, hold)), keyId, record }
}

/** Charges the usage at the price of the hold, never more than the hold, and releases the rest. Idempotent. */
export async function settleTurn(app: App, turn: Turn, used: TurnUsage): Promise<SettledTurn> {
  const { asked, spentMicroKobo } = settlementOf(turn, used)
  const settled = await settle(app, asked)
  if (turn.keyId) await app.keyRates.countTokens(turn.keyId, tokensOf(used))
  turn.record?.end(used)
  turn.record?.settle(chargeOf(settled, asked.exactCost))
  return settledTurn(turn, settled, spentMicroKobo)
}

/** As `settleTurn`, in the transaction that stores the outcome. */
export async function settleTurnIn(app: App, tx: Tx, turn: Turn, used: TurnUsage): Promise<SettledTurn> {
  const { asked, spentMicroKobo } = settlementOf(turn, used)
  const settled = await settleIn(app, tx, asked)
  const { keyId, record } = turn
  if (keyId) tx.afterCommit(() => void app.keyRates.countTokens(keyId, tokensOf(used)))
  record?.end(used)
  tx.afterCommit(() => record?.settle(chargeOf(settled, asked.exactCost)))
  return settledTurn(turn, settled, spentMicroKobo)
}

const chargeOf = ({ hold, entryId }: SettleResult, exactCost: string | null) => ({
  costMinor: hold.chargedMinor,
  exactCost: hold.state === 'settled' ? exactCost : null,
  ledgerId: entryId,
})

const tokensOf = ({ promptTokens, outputTokens }: TurnUsage): number => promptTokens + outputTokens

/** The most that a turn is charged and the usage of its run, before the settlement. Earlier charges may have paid for a part. */
export function chargeFor(turn: Turn, used: TurnUsage): { chargedMinor: bigint; spentMicroKobo: bigint } {
  const { asked, spentMicroKobo } = settlementOf(turn, used)
  return { chargedMinor: asked.amountMinor, spentMicroKobo }
}

/** Releases the hold of a turn without output. */
export async function releaseTurn(app: App, { orgId, hold, record }: Turn): Promise<SettleResult> {
  const released = await release(app, { orgId, holdId: hold.holdId })
  record?.settle()
  return released
}

export async function releaseTurnIn(app: App, tx: Tx, { orgId, hold, record }: Turn): Promise<SettleResult> {
  tx.afterCommit(() => record?.settle())
  return releaseIn(app, tx, { orgId, holdId: hold.holdId })
}

function termsFor(price: TokenPrice, asked: TurnRequest): HoldTerms {
  return {
    lane: price.lane,
    model: asked.model,
    currency: price.currency,
    koboPer1m: Number(price.koboPer1m),
    ...(price.classes && { classPrices: digitsOf(price.classes) }),
    rateCard: price.rateCard,
    rate: { numerator: `${price.numerator}`, denominator: `${price.denominator}` },
    ...(price.accrues && { accrues: true as const }),
    ...(asked.workKind && { workKind: asked.workKind }),
    promptTokens: asked.promptTokens,
    outputCeiling: asked.outputCeiling,
    beforeMicroKobo: `${asked.spentMicroKobo}`,
    beforeMinor: minorOf(price, asked.spentMicroKobo),
  }
}

const digitsOf = ({ input, output, cachedInput, cacheWrite }: ClassPrices) => ({
  input: `${input}`,
  output: `${output}`,
  cachedInput: `${cachedInput}`,
  cacheWrite: `${cacheWrite}`,
})

/** An existing hold keeps its stored terms, which may differ from current prices. */
async function storedTerms(app: App, orgId: OrgId, hold: Hold): Promise<HoldTerms> {
  return HoldTerms.parse(await app.db.tx(orgId, (tx) => readHoldTerms(tx, orgId, hold.holdId)))
}

function turnOf(orgId: OrgId, hold: Hold, terms: HoldTerms): Omit<Turn, 'keyId' | 'record'> {
  const price = priceOfTerms(terms)
  const beforeMicroKobo = BigInt(terms.beforeMicroKobo)
  const outputCeiling = affordableOutput(price, { ...terms, beforeMicroKobo }, hold.amountMinor)
  const maxMinor = maxTurnCost(price, beforeMicroKobo, terms.promptTokens, outputCeiling)
  return { orgId, hold, terms, price, outputCeiling, maxMinor }
}

/** The error codes of refused reservations. */
export const RESERVATION_ERRORS = {
  insufficient: 'insufficient_funds',
  cap_reached: 'member_cap_reached',
  key_budget: 'key_budget_exceeded',
} as const

function reservationError(refused: ReserveResult & { ok: false }, requiredMinor: bigint): ApiError {
  const { reason, availableMinor } = refused
  if (reason === 'ended') return new ApiError('work_ended')
  return new ApiError(RESERVATION_ERRORS[reason], { requiredMinor, availableMinor })
}

function settlementOf({ orgId, hold, terms }: Turn, used: TurnUsage) {
  const { model = terms.model, promptTokens, outputTokens, ...parts } = used
  const tokens = BigInt(promptTokens) + BigInt(outputTokens)
  const { chargedMinor, exactCost, afterMicroKobo } = calculateCharge(terms, hold.amountMinor, used)
  const usage = { lane: terms.lane, model, tokens, promptTokens, outputTokens, ...parts }
  return {
    asked: { orgId, holdId: hold.holdId, amountMinor: chargedMinor, exactCost, usage },
    spentMicroKobo: afterMicroKobo,
  }
}

/** A hold that ended before its settlement was not charged, so it does not count as usage of its run. */
function settledTurn({ terms }: Turn, settled: SettleResult, spentMicroKobo: bigint): SettledTurn {
  return {
    ...settled,
    chargedMinor: settled.hold.chargedMinor,
    spentMicroKobo: settled.hold.state === 'settled' ? spentMicroKobo : BigInt(terms.beforeMicroKobo),
  }
}
