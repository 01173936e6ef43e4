// Amounts and sizes in the status line, where every column counts.
import type { Currency } from '@cowrie/sdk'
import { formatMoney } from '../spending/money.ts'

type Unit = Pick<Currency, 'symbol' | 'minorUnit'>

/** `₦12.40`, and `₦500` for a whole amount. */
export function shortMoney(minor: bigint, unit: Unit): string {
  const text = formatMoney(minor, unit)
  return minor % BigInt(unit.minorUnit) === 0n ? text.replace(/\.0+$/, '') : text
}

/** From here on, the status line shows a balance without its minor units. */
const LARGE_MAJOR = 1_000n

/** Rounded down, so that it never shows more than there is. */
export function balanceText(minor: bigint, unit: Unit): string {
  const major = BigInt(unit.minorUnit)
  return shortMoney(minor >= LARGE_MAJOR * major ? minor - (minor % major) : minor, unit)
}

/** `840 B`, `3.1 kB`, `18 kB`, `2.4 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [value, unit] = bytes < 999_500 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** `1 file`, `3 files` */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
