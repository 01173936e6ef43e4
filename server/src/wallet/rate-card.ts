// Rate cards: prices are set in kobo, and a card converts them to the other currencies.
import { assert } from '../kernel/assert.ts'
import { type Currency, type Money, money, scaleSumHalfUp, scaleUp } from '../kernel/money.ts'

/** Minor units of a currency per kobo, as an exact fraction. */
export type Rate = { readonly numerator: bigint; readonly denominator: bigint }

export type RateCard = {
  readonly label: string
  /** The explanation that an operator sees when choosing the card. */
  readonly note: string
  readonly rates: Readonly<Record<Currency, Rate>>
}

const DENOMINATOR_MAX = 10n ** 12n

/** A decimal number, so that sums of charges at different rates are exact and stay short. */
function rate(numerator: bigint, denominator: bigint): Rate {
  assert(numerator > 0n && DENOMINATOR_MAX % denominator === 0n, 'a rate has at most 12 decimals')
  return { numerator, denominator }
}

/**
 * The cards of this build, by version. Never change a card that was in force, because past charges are explained with it:
 * add a new card instead. The rates are our own business figures near the market of their month, not quotes. UGX, XOF, XAF,
 * RWF and GNF have no decimals: their minor unit is the whole unit, so their rates lack the factor of 100 of the others.
 */
export const RATE_CARDS = {
  '2026-11': {
    label: 'November 2026',
    note: 'The rates of 2026-11',
    rates: {
      NGN: rate(1n, 1n),
      KES: rate(89n, 1_000n),
      GHS: rate(79n, 10_000n),
      ZAR: rate(119n, 10_000n),
      EGP: rate(331n, 10_000n),
      UGX: rate(245n, 10_000n),
      XOF: rate(39n, 10_000n),
      XAF: rate(39n, 10_000n),
      RWF: rate(101n, 10_000n),
      TZS: rate(171n, 100n),
      ZMW: rate(157n, 10_000n),
      GNF: rate(6n, 100n),
      USD: rate(69n, 100_000n),
    },
  },
} as const satisfies Record<string, RateCard>

export type RateCardVersion = keyof typeof RATE_CARDS

export const rateOf = (version: RateCardVersion, currency: Currency): Rate =>
  RATE_CARDS[version].rates[currency]

/** Converts kobo to another currency, rounded up to a minor unit. */
export function fromKobo(version: RateCardVersion, kobo: bigint, currency: Currency): Money {
  const { numerator, denominator } = rateOf(version, currency)
  return scaleUp(money(kobo, currency), numerator, denominator)
}

/** Converts to kobo, rounded to the nearest, half away from zero. The result of a large sum may exceed 64 bits. */
export function toKobo(version: RateCardVersion, { minor, currency }: Money): bigint {
  const { numerator, denominator } = rateOf(version, currency)
  const kobo = scaleSumHalfUp(minor < 0n ? -minor : minor, denominator, numerator)
  return minor < 0n ? -kobo : kobo
}
