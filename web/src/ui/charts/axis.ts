// Ticks of an axis, and their short labels.
import { locale } from '../../i18n/language.ts'
import type { Currency } from '../../i18n/money.ts'

const STEPS = [1n, 2n, 5n, 10n]

/** Round values from 0 to the first one that covers `highest`. */
export function ticksFor(highest: bigint, most = 4): bigint[] {
  if (highest <= 0n) return [0n]
  const rough = (highest + BigInt(most) - 1n) / BigInt(most)
  const power = 10n ** BigInt(rough.toString().length - 1)
  const step = STEPS.map((each) => each * power).find((each) => each >= rough) ?? rough
  const count = Number((highest + step - 1n) / step)
  return Array.from({ length: count + 1 }, (_, at) => step * BigInt(at))
}

/** "₦20K". For axes only: amounts are written in full. */
export const shortMoney = (minor: bigint, { symbol, minorUnit }: Currency): string =>
  `${symbol}${new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 2 }).format(Number(minor) / minorUnit)}`

/** At most `most` places among `count`, at equal distances, the last included. */
export function labelledPlaces(count: number, most = 5): number[] {
  const step = Math.max(1, Math.ceil((count - 1) / (most - 1)))
  return Array.from({ length: count }, (_, at) => at).filter((at) => (count - 1 - at) % step === 0)
}
