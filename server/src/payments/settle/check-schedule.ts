// How often a payment is asked about: often while the payer is at it, seldom later, and not for ever.
import { after, type Duration } from '../../kernel/clock.ts'
import type { Payment } from '../sql/payments.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FREQUENT_CHECKS_MS = 15 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// Cash at a counter and banks that look into a payment take days.
const SLOW_RAILS: ReadonlySet<string> = new Set(['fawry', 'ozow'])

/** How long a claimed payment is left to who claimed it; a crash there delays it by so much. */
export const CLAIM_DURATION: Duration = { seconds: 90 }

/** When to ask again; null when it is over for good. `random` is from 0 to 1 and spreads what began together. */
export function nextCheck(
  payment: Pick<Payment, 'rail' | 'status' | 'createdAt' | 'expiresAt'> &
    Partial<Pick<Payment, 'disputedMinor'>>,
  now: Date,
  random: number,
): Date | null {
  const { rail, status, createdAt, expiresAt } = payment
  // A dispute takes weeks, and the message about its end may be lost.
  if (status === 'settled' && payment.disputedMinor) return after(now, { hours: 24 })
  if (status === 'settled' || status === 'review') return null
  const end = after(expiresAt, SLOW_RAILS.has(rail) ? { days: 7 } : { days: 3 })
  if (now >= end) return null
  const pauseMs = intervalFor(now.getTime() - createdAt.getTime(), status) * (0.8 + random * 0.4)
  const next = after(now, { ms: Math.round(pauseMs) })
  // The moment it expires, and the last of all, are not slept through.
  if (status === 'pending' && now < expiresAt && next > expiresAt) return expiresAt
  return new Date(Math.min(next.getTime(), end.getTime()))
}

// Their pages can be paid on again while they are open.
const REPEATABLE_RAILS: ReadonlySet<string> = new Set(['flutterwave', 'ozow'])

/** When a payment that was just settled is asked about once more; null where nothing more can come. */
export function checkAfterSettling(
  { rail, mode, repeatOf, expiresAt }: Pick<Payment, 'rail' | 'mode' | 'repeatOf' | 'expiresAt'>,
  now: Date,
): Date | null {
  const canRepeat = mode === 'live' && repeatOf === null && REPEATABLE_RAILS.has(rail)
  return canRepeat && expiresAt > now ? expiresAt : null
}

function intervalFor(ageMs: number, status: Payment['status']): number {
  // A failure may still be followed by a success, which is rare and announced.
  if (status === 'failed') return HOUR_MS
  if (ageMs < FREQUENT_CHECKS_MS) return 15_000 + (Math.max(ageMs, 0) / FREQUENT_CHECKS_MS) * 45_000
  return ageMs < DAY_MS ? 15 * MINUTE_MS : HOUR_MS
}
