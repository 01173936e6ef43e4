// The terms and the usage that a hold stores, and the calculation of its charge from them.
import { z } from 'zod'
import { type Currency, currencies, isCurrency, money, scaleUp } from '../../kernel/money.ts'

const count = z.int().min(0)
const digits = z.string().regex(/^\d{1,40}$/)

/** The quoted price and limits. Later changes of prices and rate cards do not affect them. */
export const HoldTerms = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  currency: z.custom<Currency>((value) => typeof value === 'string' && isCurrency(value), {
    error: `must be one of ${currencies.join(', ')}`,
  }),
  koboPer1m: count,
  rateCard: z.string(),
  /** Minor units of the currency per kobo. Strings, because JSON numbers lose precision in some readers. */
  rate: z.object({ numerator: digits, denominator: digits }),
  promptTokens: count,
  /** As requested. A hold that was cut to the available money affords less. */
  outputCeiling: count,
  /** The usage of the run before this turn in millionths of a kobo: exact across lanes and prices. */
  beforeMicroKobo: digits,
  /** The same usage as charged: in minor units, rounded up. */
  beforeMinor: z.bigint(),
})
export type HoldTerms = z.infer<typeof HoldTerms>

/**
 * The tokens that a turn used. It is also stored as a usage point. `cachedTokens` are part of the prompt and
 * `reasoningTokens` part of the output, so neither is added to the sum.
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

/** The quoted price of a turn. */
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

/** The exact price of tokens: kobo per million tokens equal millionths of a kobo per token. */
export const microKoboOf = (price: TokenPrice, tokens: bigint): bigint => tokens * price.koboPer1m

/** Converts an exact amount to minor units of the price's currency, rounded up once. */
export const minorOf = (price: TokenPrice, microKobo: bigint): bigint =>
  scaleUp(money(1n, price.currency), microKobo * price.numerator, 1_000_000n * price.denominator).minor

/**
 * The cost of a turn: the rounded-up total of its run with the turn, less the rounded-up total without it. A whole run is
 * thus rounded once, and no turn costs more than it would alone.
 */
export const turnCost = (price: TokenPrice, beforeMicroKobo: bigint, tokens: bigint): bigint =>
  minorOf(price, beforeMicroKobo + microKoboOf(price, tokens)) - minorOf(price, beforeMicroKobo)

/** The largest output, up to `outputCeiling`, that `amountMinor` pays for. Negative if it does not pay for the prompt. */
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
  // The amount pays for every exact total that rounds up to this one.
  const totalMinor = minorOf(price, turn.beforeMicroKobo) + amountMinor
  const room = totalMinor * 1_000_000n * price.denominator - turn.beforeMicroKobo * price.numerator
  const output = room / perToken - BigInt(turn.promptTokens)
  return output < BigInt(turn.outputCeiling) ? Number(output) : turn.outputCeiling
}

export type Charge = {
  readonly chargedMinor: bigint
  /** Without tokens beyond the hold: those are our loss. */
  readonly billedTokens: bigint
  readonly afterMicroKobo: bigint
}

/** The charge for used tokens under the terms of a hold: never more than `heldMinor`. */
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
