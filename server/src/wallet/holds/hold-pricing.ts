// The terms and the usage that a hold stores, and the calculation of its charge from them.
import { z } from 'zod'
import { type Currency, currencies, isCurrency, money, scaleUp } from '../../kernel/money.ts'
import { accruedCost, isAccrued } from './accrual.ts'

const count = z.int().min(0)
const digits = z.string().regex(/^\d{1,40}$/)
const classPrice = z.union([count, digits])
const decimal = z.string().regex(/^\d{1,40}(\.\d{1,24})?$/)

/** The quoted price and limits. Later changes of prices and rate cards do not affect them. */
export const HoldTerms = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  currency: z.custom<Currency>((value) => typeof value === 'string' && isCurrency(value), {
    error: `must be one of ${currencies.join(', ')}`,
  }),
  /** The price of every token; with `classPrices` that of uncached input. */
  koboPer1m: count,
  /** Kobo per million tokens of each class. Absent: `koboPer1m` applies to every token. */
  classPrices: z
    .object({ input: classPrice, output: classPrice, cachedInput: classPrice, cacheWrite: classPrice })
    .optional(),
  rateCard: z.string(),
  /** Minor units of the currency per kobo. Strings, because JSON numbers lose precision in some readers. */
  rate: z.object({ numerator: digits, denominator: digits }),
  /** Every turn is a separate charge, and charges accumulate exactly. Absent: turns of a run are rounded up once. */
  accrues: z.literal(true).optional(),
  /** The kind of quoted work, from which usual costs are computed. */
  workKind: z.enum(['run', 'loop', 'message', 'turn']).optional(),
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
 * The tokens that a turn used. It is also stored as a usage point. `cachedTokens` and `cacheWriteTokens` are part of the
 * prompt and `reasoningTokens` part of the output, so none of them is added to the sum.
 */
export const Usage = z.object({
  lane: z.enum(['open', 'frontier']),
  model: z.string(),
  tokens: z.coerce.bigint(),
  promptTokens: count.optional(),
  outputTokens: count.optional(),
  cachedTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  reasoningTokens: count.optional(),
  /** Added by the settlement of an accrued charge: its cost and what earlier charges had paid, in minor units. */
  exactCost: decimal.optional(),
  paidBefore: decimal.optional(),
})
export type Usage = z.output<typeof Usage>

/** Kobo per million tokens of each class. */
export type ClassPrices = {
  readonly input: bigint
  readonly output: bigint
  readonly cachedInput: bigint
  readonly cacheWrite: bigint
}
export type TokenClass = keyof ClassPrices

/** `promptTokens` includes the tokens that the provider read from its cache and those that it wrote to it. */
export type TokenCounts = {
  readonly promptTokens: number
  readonly cachedTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
  readonly outputTokens: number
}

/** The quoted price of a turn. */
export type TokenPrice = {
  readonly lane: HoldTerms['lane']
  readonly currency: Currency
  readonly koboPer1m: bigint
  /** Null: `koboPer1m` applies to every token. */
  readonly classes: ClassPrices | null
  readonly rateCard: string
  readonly numerator: bigint
  readonly denominator: bigint
  /** Every turn is a separate charge, and charges accumulate exactly. Absent: turns of a run are rounded up once. */
  readonly accrues?: boolean
}

export const priceOfTerms = (terms: HoldTerms): TokenPrice => ({
  lane: terms.lane,
  currency: terms.currency,
  koboPer1m: BigInt(terms.koboPer1m),
  classes: terms.classPrices ? classesOfTerms(terms.classPrices) : null,
  rateCard: terms.rateCard,
  numerator: BigInt(terms.rate.numerator),
  denominator: BigInt(terms.rate.denominator),
  accrues: terms.accrues ?? false,
})

const classesOfTerms = (stored: NonNullable<HoldTerms['classPrices']>): ClassPrices => ({
  input: BigInt(stored.input),
  output: BigInt(stored.output),
  cachedInput: BigInt(stored.cachedInput),
  cacheWrite: BigInt(stored.cacheWrite),
})

export type ClassUsage = {
  readonly tokenClass: TokenClass
  readonly tokens: bigint
  readonly koboPer1m: bigint
}

/**
 * The tokens of each class. A provider that reports more cached and written tokens than the prompt has is wrong: the
 * cheaper of the two classes then counts first.
 */
export function splitByClass(prices: ClassPrices, counts: TokenCounts): ClassUsage[] {
  const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0, outputTokens } = counts
  const isCachedFirst = prices.cachedInput <= prices.cacheWrite
  const first = Math.min(isCachedFirst ? cachedTokens : cacheWriteTokens, promptTokens)
  const second = Math.min(isCachedFirst ? cacheWriteTokens : cachedTokens, promptTokens - first)
  const use = (tokenClass: TokenClass, tokens: number): ClassUsage => ({
    tokenClass,
    tokens: BigInt(tokens),
    koboPer1m: prices[tokenClass],
  })
  return [
    use('input', promptTokens - first - second),
    use('cachedInput', isCachedFirst ? first : second),
    use('cacheWrite', isCachedFirst ? second : first),
    use('output', outputTokens),
  ]
}

/** The exact price of tokens: kobo per million tokens equal millionths of a kobo per token. */
export function microKoboOf({ classes, koboPer1m }: TokenPrice, counts: TokenCounts): bigint {
  if (!classes) return BigInt(counts.promptTokens + counts.outputTokens) * koboPer1m
  return splitByClass(classes, counts).reduce((sum, use) => sum + use.tokens * use.koboPer1m, 0n)
}

/** The most that a prompt token can cost. A hold assumes no cache hit, and writing to the cache may cost more than reading. */
const dearestInput = ({ classes, koboPer1m }: TokenPrice): bigint =>
  classes ? [classes.cachedInput, classes.cacheWrite].reduce(larger, classes.input) : koboPer1m

const cheapestInput = ({ classes, koboPer1m }: TokenPrice): bigint =>
  classes ? [classes.cachedInput, classes.cacheWrite].reduce(smaller, classes.input) : koboPer1m

const outputPrice = ({ classes, koboPer1m }: TokenPrice): bigint => classes?.output ?? koboPer1m

/** The exact price of the worst case. */
const maxMicroKoboOf = (price: TokenPrice, promptTokens: number, outputTokens: number): bigint =>
  BigInt(promptTokens) * dearestInput(price) + BigInt(outputTokens) * outputPrice(price)

/** Converts an exact amount to minor units of the price's currency, rounded up once. */
export const minorOf = (price: TokenPrice, microKobo: bigint): bigint =>
  scaleUp(money(1n, price.currency), microKobo * price.numerator, 1_000_000n * price.denominator).minor

/** The usage of the run that the rounding of a turn continues. */
const roundedBefore = ({ accrues }: TokenPrice, beforeMicroKobo: bigint): bigint =>
  accrues ? 0n : beforeMicroKobo

/**
 * The most that a turn costs: the rounded-up total of its run with the turn, less the rounded-up total without it. A whole run is
 * thus rounded once, and no turn costs more than it would alone. A turn whose charge accrues is rounded up alone.
 */
export const turnCost = (price: TokenPrice, beforeMicroKobo: bigint, used: TokenCounts): bigint =>
  costAfter(price, beforeMicroKobo, microKoboOf(price, used))

/** The highest cost of a turn with these limits: the amount that its hold needs. */
export const maxTurnCost = (
  price: TokenPrice,
  beforeMicroKobo: bigint,
  promptTokens: number,
  outputTokens: number,
): bigint => costAfter(price, beforeMicroKobo, maxMicroKoboOf(price, promptTokens, outputTokens))

/**
 * The lowest charge for these tokens alone: the provider finds the whole prompt in its cheapest class and, if the charge accrues,
 * earlier ones have paid for the last part of a minor unit.
 */
export function minTurnCost(price: TokenPrice, promptTokens: number, outputTokens: number): bigint {
  const microKobo = BigInt(promptTokens) * cheapestInput(price) + BigInt(outputTokens) * outputPrice(price)
  return isAccrued(price, 0n, microKobo)
    ? (microKobo * price.numerator) / (1_000_000n * price.denominator)
    : minorOf(price, microKobo)
}

function costAfter(price: TokenPrice, beforeMicroKobo: bigint, microKobo: bigint): bigint {
  const before = roundedBefore(price, beforeMicroKobo)
  return minorOf(price, before + microKobo) - minorOf(price, before)
}

type TurnSize = {
  readonly beforeMicroKobo: bigint
  readonly promptTokens: number
  readonly outputCeiling: number
}

/** The largest output, up to `outputCeiling`, that `amountMinor` pays for. Negative if it does not pay for the prompt. */
export function affordableOutput(price: TokenPrice, turn: TurnSize, amountMinor: bigint): number {
  const leftMicroKobo =
    affordableMicroKobo(price, turn.beforeMicroKobo, amountMinor) -
    BigInt(turn.promptTokens) * dearestInput(price)
  const perToken = outputPrice(price)
  if (perToken === 0n) return leftMicroKobo < 0n ? -1 : turn.outputCeiling
  const output = floorDivide(leftMicroKobo, perToken)
  return output < BigInt(turn.outputCeiling) ? Number(output) : turn.outputCeiling
}

/** The amount pays for every exact total that rounds up to the same total in minor units. */
function affordableMicroKobo(price: TokenPrice, beforeMicroKobo: bigint, amountMinor: bigint): bigint {
  const before = roundedBefore(price, beforeMicroKobo)
  const totalMinor = minorOf(price, before) + amountMinor
  return (totalMinor * 1_000_000n * price.denominator) / price.numerator - before
}

export type Charge = {
  /** Of a charge that accrues it is the most: earlier charges may have paid for a part. */
  readonly chargedMinor: bigint
  /** The cost of a charge that accrues, without rounding, in minor units; otherwise null. */
  readonly exactCost: string | null
  /** Without tokens beyond the hold: those are our loss. */
  readonly billedTokens: bigint
  readonly afterMicroKobo: bigint
  /** The price of all used tokens. More than the charge if the work used more than was reserved. */
  readonly usedMicroKobo: bigint
}

/** The charge for used tokens under the terms of a hold: never more than `heldMinor`. */
export function calculateCharge(terms: HoldTerms, heldMinor: bigint, used: TokenCounts): Charge {
  const price = priceOfTerms(terms)
  const beforeMicroKobo = BigInt(terms.beforeMicroKobo)
  const turn = { beforeMicroKobo, promptTokens: terms.promptTokens, outputCeiling: terms.outputCeiling }
  const output = affordableOutput(price, turn, heldMinor)
  const usedMicroKobo = microKoboOf(price, used)
  const reservedMicroKobo = smaller(
    maxMicroKoboOf(price, terms.promptTokens, output),
    // Less only if the hold does not even cover the prompt.
    affordableMicroKobo(price, beforeMicroKobo, heldMinor),
  )
  const billedMicroKobo = smaller(usedMicroKobo, larger(reservedMicroKobo, 0n))
  const afterMicroKobo = beforeMicroKobo + billedMicroKobo
  return {
    chargedMinor: costAfter(price, beforeMicroKobo, billedMicroKobo),
    exactCost: accruedCost(price, beforeMicroKobo, billedMicroKobo),
    billedTokens: price.classes
      ? countWithin(splitByClass(price.classes, used), billedMicroKobo)
      : smaller(BigInt(used.promptTokens + used.outputTokens), BigInt(terms.promptTokens) + BigInt(output)),
    afterMicroKobo,
    usedMicroKobo,
  }
}

/** How many whole tokens an exact amount pays for, class by class. */
function countWithin(uses: readonly ClassUsage[], microKobo: bigint): bigint {
  let left = microKobo
  let count = 0n
  for (const { tokens, koboPer1m } of uses) {
    const paid = koboPer1m === 0n ? tokens : smaller(tokens, left / koboPer1m)
    left -= paid * koboPer1m
    count += paid
  }
  return count
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Rounds down, also below zero. */
const floorDivide = (amount: bigint, by: bigint): bigint =>
  amount >= 0n ? amount / by : -((by - 1n - amount) / by)
