// What is offered before anything is typed: round amounts of the currency, and an amount that fits the way to pay.
import { type Currency, formatMoney } from '../money.ts'
import { ROUND_AMOUNTS } from './round-amounts.ts'
import type { Channel } from './top-up-types.ts'

const ELSEWHERE = [10n, 20n, 50n]

type Range = Pick<Channel, 'minMinor' | 'maxMinor' | 'stepMinor'>

export const amountsFor = (currency: Currency, { minMinor, maxMinor }: Range): bigint[] =>
  (ROUND_AMOUNTS[currency.code] ?? ELSEWHERE)
    .map((whole) => whole * BigInt(currency.minorUnit))
    .filter((minor) => minor >= minMinor && minor <= maxMinor)

/** The least that is enough and that this way to pay can carry. */
export function atLeast(minor: bigint, { minMinor, stepMinor }: Range): bigint {
  const wanted = minor < minMinor ? minMinor : minor
  return ((wanted + stepMinor - 1n) / stepMinor) * stepMinor
}

/** "₦2,000": a round amount needs no coins behind it. */
export const roundMoney = (minor: bigint, currency: Currency): string =>
  formatMoney(minor / BigInt(currency.minorUnit), { ...currency, minorUnit: 1 })
