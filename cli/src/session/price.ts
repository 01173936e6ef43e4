// The price of a turn within the budget of the session.
import type { TurnPrice } from './types.ts'

type Quote = {
  readonly model: string
  readonly maxMinor: bigint
  readonly leastMinor: bigint
  readonly usuallyMinor: { readonly low: bigint | number; readonly high: bigint | number } | null
  readonly balanceMinor: bigint
  readonly affordable: boolean
}

/** Without comparable turns, a turn is expected to need about this many times the least that starts it. */
const USUAL_FACTOR = 10n

/**
 * `leftMinor` is what is left of the budget. The service never lets a turn pass it, so the question is whether the turn is likely to
 * end early because of it.
 */
export function toTurnPrice(quote: Quote, leftMinor: bigint | null): TurnPrice {
  const { model, leastMinor, balanceMinor, affordable } = quote
  const usuallyMinor = quote.usuallyMinor && {
    p50: BigInt(quote.usuallyMinor.low),
    p90: BigInt(quote.usuallyMinor.high),
  }
  const expectedMinor = usuallyMinor?.p90 ?? leastMinor * USUAL_FACTOR
  return {
    model,
    leastMinor,
    maxMinor: leftMinor !== null && leftMinor < quote.maxMinor ? atLeastZero(leftMinor) : quote.maxMinor,
    usuallyMinor,
    passesBudget: leftMinor !== null && expectedMinor >= leftMinor,
    balanceMinor,
    affordable: affordable && (leftMinor === null || leftMinor >= leastMinor),
  }
}

const atLeastZero = (minor: bigint): bigint => (minor < 0n ? 0n : minor)
