// The part of an amount that belongs to what is left of a period, half-up to one minor unit.
import { money, scaleHalfUp } from '../../kernel/money.ts'
import { type Period, remaining } from '../calendar.ts'

export function share(amountMinor: bigint, period: Period, now: Date): bigint {
  const { left, of } = remaining(period, now)
  return scaleHalfUp(money(amountMinor, 'NGN'), left, of).minor
}

/** Half away from zero on either side of it. */
export const signedShare = (amountMinor: bigint, period: Period, now: Date): bigint =>
  amountMinor < 0n ? -share(-amountMinor, period, now) : share(amountMinor, period, now)
