// What a hold keeps of the promise it was made on and of the use it ended with, and the one calculation that follows.
import { z } from 'zod'
import { type Currency, currencies, isCurrency, money, scaleUp } from '../../kernel/money.ts'

const count = z.int().min(0)
const digits = z.string().regex(/^\d{1,40}$/)

/** What was promised. Later changes of prices and cards do not reach it. */
export const HoldTerms = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  currency: z.custom<Currency>((value) => typeof value === 'string' && isCurrency(value), {
    error: `must be one of ${currencies.join(', ')}`,
  }),
  koboPer1m: count,
  rateCard: z.string(),
  /** Minor units of the currency for one kobo. Texts, because JSON numbers are not exact everywhere. */
  rate: z.object({ numerator: digits, denominator: digits }),
  promptTokens: count,
  /** As it was asked for; a hold that was cut to what there was affords less. */
  outputCeiling: count,
  /** What the run had used before this turn, in millionths of a kobo: exact, whatever its lanes and prices were. */
  beforeMicroKobo: digits,
  /** The same as it was charged: in minor units, rounded up. */
  beforeMinor: z.bigint(),
})
export type HoldTerms = z.infer<typeof HoldTerms>

/**
 * What was used; it also becomes a point of usage. `cachedTokens` are part of the prompt and `reasoningTokens` part of the
 * output, so neither is counted again.
 */
export const Usage = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  tokens: z.coerce.bigint(),
  promptTokens: count.optional(),
  outputTokens: count.optional(),
  cachedTokens: count.optional(),
  reasoningTokens: count.optional(),
})
export type Usage = z.output<typeof Usage>

/** A price as a turn was promised it. */
export type TokenPrice = {
  readonly lane: HoldTerms['lane']
  readonly currency: Currency
  readonly koboPer1m: bigint
  readonly rateCard: string
  readonly numerator: bigint
  readonly denominator: bigint
}

export const priceOfTerms = (terms: HoldTerms): TokenPrice => ({
  lane: terms.lane,
  currency: terms.currency,
  koboPer1m: BigInt(terms.koboPer1m),
  rateCard: terms.rateCard,
  numerator: BigInt(terms.rate.numerator),
  denominator: BigInt(terms.rate.denominator),
})

/** Tokens at a price, exactly: kobo per million tokens are millionths of a kobo per token. */
export const microKoboOf = (price: TokenPrice, tokens: bigint): bigint => tokens * price.koboPer1m

/** What an exact amount costs in minor units of the price's currency: the whole product, rounded up once. */
export const minorOf = (price: TokenPrice, microKobo: bigint): bigint =>
  scaleUp(money(1n, price.currency), microKobo * price.numerator, 1_000_000n * price.denominator).minor

/**
 * What a turn costs: the rounded-up total of its run with it, less the rounded-up total without it. Over a run the
 * differences add up to one rounding, and no turn costs more than it would alone.
 */
export const turnCost = (price: TokenPrice, beforeMicroKobo: bigint, tokens: bigint): bigint =>
  minorOf(price, beforeMicroKobo + microKoboOf(price, tokens)) - minorOf(price, beforeMicroKobo)

/** The largest output, up to `outputCeiling`, that a turn can have for `amountMinor`; negative when not even its prompt. */
export function affordableOutput(
  price: TokenPrice,
  turn: {
    readonly beforeMicroKobo: bigint
    readonly promptTokens: number
    readonly outputCeiling: number
  },
  amountMinor: bigint,
): number {
  const perToken = price.koboPer1m * price.numerator
  if (perToken === 0n) return turn.outputCeiling
  // Every total that rounds up to this one is paid for.
  const totalMinor = minorOf(price, turn.beforeMicroKobo) + amountMinor
  const room = totalMinor * 1_000_000n * price.denominator - turn.beforeMicroKobo * price.numerator
  const output = room / perToken - BigInt(turn.promptTokens)
  return output < BigInt(turn.outputCeiling) ? Number(output) : turn.outputCeiling
}

export type Charge = {
  readonly chargedMinor: bigint
  /** What was used beyond what was reserved is our loss and not in here. */
  readonly billedTokens: bigint
  readonly afterMicroKobo: bigint
}

/** What a use costs under the terms of its hold: never more than was held. */
export function calculateCharge(terms: HoldTerms, heldMinor: bigint, tokens: bigint): Charge {
  const price = priceOfTerms(terms)
  const beforeMicroKobo = BigInt(terms.beforeMicroKobo)
  const { promptTokens, outputCeiling } = terms
  const most =
    BigInt(promptTokens) +
    BigInt(affordableOutput(price, { beforeMicroKobo, promptTokens, outputCeiling }, heldMinor))
  const billedTokens = tokens < most ? tokens : most
  return {
    chargedMinor: turnCost(price, beforeMicroKobo, billedTokens),
    billedTokens,
    afterMicroKobo: beforeMicroKobo + microKoboOf(price, billedTokens),
  }
}
