// How often a payment is asked about: often while the payer is at it, seldom later, and not for ever.
import { after, type Duration } from '../kernel/clock.ts'
import type { Payment } from './settle-sql.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const KEEN_MS = 15 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// Cash at a counter and banks that look into a payment take days.
const SLOW_RAILS: ReadonlySet<string> = new Set(['fawry', 'ozow'])

/** How long a claimed payment is left to who claimed it; a crash there delays it by so much. */
export const CLAIM: Duration = { seconds: 90 }

/** When to ask again; null when it is over for good. `random` is from 0 to 1 and spreads what began together. */
export function nextCheck(
  payment: Pick<Payment, 'rail' | 'status' | 'createdAt' | 'expiresAt'>,
  now: Date,
  random: number,
): Date | null {
  const { rail, status, createdAt, expiresAt } = payment
  if (status === 'settled' || status === 'review') return null
  const end = after(expiresAt, SLOW_RAILS.has(rail) ? { days: 7 } : { days: 3 })
  if (now >= end) return null
  const pauseMs = pauseFor(now.getTime() - createdAt.getTime(), status) * (0.8 + random * 0.4)
  const next = after(now, { ms: Math.round(pauseMs) })
  // The moment it expires, and the last of all, are not slept through.
  if (status === 'pending' && now < expiresAt && next > expiresAt) return expiresAt
  return new Date(Math.min(next.getTime(), end.getTime()))
}

function pauseFor(ageMs: number, status: Payment['status']): number {
  // A failure may still be followed by a success, which is rare and announced.
  if (status === 'failed') return HOUR_MS
  if (ageMs < KEEN_MS) return 15_000 + (Math.max(ageMs, 0) / KEEN_MS) * 45_000
  return ageMs < DAY_MS ? 15 * MINUTE_MS : HOUR_MS
}
