// Which charges accumulate exactly, and how one of them is calculated. See decisions/0088.
import { assert } from '../../kernel/assert.ts'
import { ceilScaled, fromScaled, quotient, toScaled, wholeScaled } from '../../kernel/decimal.ts'
import type { Currency } from '../../kernel/money.ts'

const MICRO_PER_KOBO = 1_000_000n

/**
 * Prices are set in kobo. A minor unit of another currency is worth many of them, so every charge in it accrues: each turn is a
 * separate charge. In naira a charge of a kobo or more is rounded up once per run.
 */
export const accruesEveryTurn = (currency: Currency): boolean => currency !== 'NGN'

type AccrualPrice = {
  readonly currency: Currency
  readonly accrues?: boolean
  /** Minor units per kobo. */
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * Whether a charge accrues. In naira only charges below one kobo do. Later turns of a run have no such charge: the running total
 * rounds them up.
 */
export const isAccrued = (price: AccrualPrice, beforeMicroKobo: bigint, billedMicroKobo: bigint): boolean =>
  price.accrues || (price.currency === 'NGN' && beforeMicroKobo === 0n && billedMicroKobo < MICRO_PER_KOBO)

/** The exact cost of a charge that accrues, in minor units; null for one that is rounded up by itself, or that is free. */
export function accruedCost(
  price: AccrualPrice,
  beforeMicroKobo: bigint,
  billedMicroKobo: bigint,
): string | null {
  if (billedMicroKobo === 0n || !isAccrued(price, beforeMicroKobo, billedMicroKobo)) return null
  const cost = quotient(billedMicroKobo * price.numerator, MICRO_PER_KOBO * price.denominator)
  assert(!cost.includes('/'), 'the rates of a rate card are decimal numbers')
  return cost
}

export type Accrual = {
  readonly exactCost: string
  /** Paid by earlier charges: at least 0 and less than one minor unit. */
  readonly paidBefore: string
}

export type AccruedCharge = Accrual & {
  readonly chargedMinor: bigint
  /** The part of the cost that earlier charges have not paid, without rounding. */
  readonly due: string
  readonly paidAfter: string
}

/** The debit is the cost less what is already paid, rounded up. The rest pays for the next charge. */
export function calculateAccrued({ exactCost, paidBefore }: Accrual): AccruedCharge {
  const [cost, paid] = [toScaled(exactCost), toScaled(paidBefore)]
  const due = cost > paid ? cost - paid : 0n
  const chargedMinor = ceilScaled(due)
  return {
    exactCost,
    paidBefore,
    chargedMinor,
    due: fromScaled(due),
    paidAfter: fromScaled(paid + wholeScaled(chargedMinor) - cost),
  }
}
