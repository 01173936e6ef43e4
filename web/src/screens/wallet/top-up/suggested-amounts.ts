// Suggested amounts: round amounts of the currency that fit the payment method.
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { ROUND_AMOUNTS } from './round-amounts.ts'
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
