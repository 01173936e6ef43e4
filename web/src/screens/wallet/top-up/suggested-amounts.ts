// Suggested amounts: round amounts of the currency that fit the payment method.
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import type { Channel } from './top-up-types.ts'

const DEFAULT_AMOUNTS = [10n, 20n, 50n]

type Range = Pick<Channel, 'minMinor' | 'maxMinor' | 'stepMinor'>

export const amountsFor = (currency: Currency, { minMinor, maxMinor }: Range): bigint[] =>
  (ROUND_AMOUNTS[currency.code] ?? DEFAULT_AMOUNTS)
    .map((whole) => whole * BigInt(currency.minorUnit))
    .filter((minor) => minor >= minMinor && minor <= maxMinor)

/** The smallest sufficient amount that the method accepts. */
export function atLeast(minor: bigint, { minMinor, stepMinor }: Range): bigint {
  const wanted = minor < minMinor ? minMinor : minor
  return ((wanted + stepMinor - 1n) / stepMinor) * stepMinor
}

/** "₦2,000": round amounts have no decimals. */
export const roundMoney = (minor: bigint, currency: Currency): string =>
  formatMoney(minor / BigInt(currency.minorUnit), { ...currency, minorUnit: 1 })

/** A small, a usual and a large top-up, in major units. */
export const ROUND_AMOUNTS: Readonly<Record<string, readonly bigint[]>> = {
  NGN: [1_000n, 2_000n, 5_000n],
  KES: [200n, 500n, 1_000n],
  GHS: [20n, 50n, 100n],
  ZAR: [50n, 100n, 250n],
  EGP: [100n, 250n, 500n],
  UGX: [5_000n, 10_000n, 20_000n],
  XOF: [1_000n, 2_500n, 5_000n],
  XAF: [1_000n, 2_500n, 5_000n],
  RWF: [2_000n, 5_000n, 10_000n],
  TZS: [5_000n, 10_000n, 20_000n],
  ZMW: [50n, 100n, 200n],
  GNF: [20_000n, 50_000n, 100_000n],
  USD: [5n, 10n, 20n],
}
