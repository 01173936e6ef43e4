// What a kobo is worth in the other currencies. Prices are set in kobo; a card converts them.
import { type Currency, type Money, money, scaleSumHalfUp, scaleUp } from '../kernel/money.ts'

/** Minor units of a currency for one kobo, exactly. */
export type Rate = { readonly numerator: bigint; readonly denominator: bigint }

export type RateCard = {
  readonly label: string
  /** What choosing it means. */
  readonly note: string
  readonly rates: Readonly<Record<Currency, Rate>>
}

const rate = (numerator: bigint, denominator: bigint): Rate => ({ numerator, denominator })

/**
 * The cards this build ships, by version. A card that was in force is never changed, because charges are explained by it:
 * new rates are a new entry. The rates are business figures of ours, near the market of their month; they are not quotes.
 * Mind the exponents: the minor unit of UGX, XOF, XAF, RWF and GNF is the whole unit, a hundred times what a kobo is to a
 * naira.
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

/** An amount of kobo in another currency, rounded up to one of its minor units. */
export function fromKobo(version: RateCardVersion, kobo: bigint, currency: Currency): Money {
  const { numerator, denominator } = rateOf(version, currency)
  return scaleUp(money(kobo, currency), numerator, denominator)
}

/** What an amount in another currency is worth in kobo, to the nearest one; half a kobo counts away from zero. Of a large sum it may be beyond 64 bits. */
export function toKobo(version: RateCardVersion, { minor, currency }: Money): bigint {
  const { numerator, denominator } = rateOf(version, currency)
  const worth = scaleSumHalfUp(minor < 0n ? -minor : minor, denominator, numerator)
  return minor < 0n ? -worth : worth
}
