// The share of an amount for the rest of a period, rounded half up to one minor unit.
import { money, scaleHalfUp } from '../../kernel/money.ts'
import { type Period, remainingSeconds } from '../calendar.ts'

export function prorate(amountMinor: bigint, period: Period, now: Date): bigint {
  const { remaining, total } = remainingSeconds(period, now)
  return scaleHalfUp(money(amountMinor, 'NGN'), remaining, total).minor
}

/** Rounds half away from zero for both signs. */
export const prorateSigned = (amountMinor: bigint, period: Period, now: Date): bigint =>
  amountMinor < 0n ? -prorate(-amountMinor, period, now) : prorate(amountMinor, period, now)
