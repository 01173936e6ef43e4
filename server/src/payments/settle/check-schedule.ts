// Schedules the status checks of a payment: frequent at first, rare later, then none.
import { after, type Duration } from '../../kernel/clock.ts'
import type { Payment } from '../sql/payments.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FREQUENT_CHECKS_MS = 15 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// Cash payments at outlets and bank investigations take days.
const SLOW_RAILS: ReadonlySet<string> = new Set(['fawry', 'ozow'])

/** How long a claim lasts. A crashed replica delays the check by this much. */
export const CLAIM_DURATION: Duration = { seconds: 90 }

/** The next check; null when there is none. `random`, from 0 to 1, adds jitter. */
export function nextCheck(
  payment: Pick<Payment, 'rail' | 'status' | 'createdAt' | 'expiresAt'> &
    Partial<Pick<Payment, 'disputedMinor'>>,
  now: Date,
  random: number,
): Date | null {
  const { rail, status, createdAt, expiresAt } = payment
  // A dispute takes weeks, and the webhook about its end may be lost.
  if (status === 'settled' && payment.disputedMinor) return after(now, { hours: 24 })
  if (status === 'settled' || status === 'review') return null
  const end = after(expiresAt, SLOW_RAILS.has(rail) ? { days: 7 } : { days: 3 })
  if (now >= end) return null
  const intervalMs = intervalFor(now.getTime() - createdAt.getTime(), status) * (0.8 + random * 0.4)
  const next = after(now, { ms: Math.round(intervalMs) })
  // Always check at the expiry and at the end.
  if (status === 'pending' && now < expiresAt && next > expiresAt) return expiresAt
  return new Date(Math.min(next.getTime(), end.getTime()))
}

// Their hosted pages accept a second payment until they expire.
const REPEATABLE_RAILS: ReadonlySet<string> = new Set(['flutterwave', 'ozow'])

export const isRepeatable = ({ rail }: Pick<Payment, 'rail'>): boolean => REPEATABLE_RAILS.has(rail)

/** The check for a repeat payment after settlement; null where there can be none. */
export function checkAfterSettling(
  payment: Pick<Payment, 'rail' | 'mode' | 'repeatOf' | 'expiresAt'>,
  now: Date,
  mayBeElsewhere = false,
): Date | null {
  const { mode, repeatOf, expiresAt } = payment
  const canRepeat = mode === 'live' && repeatOf === null && (mayBeElsewhere || isRepeatable(payment))
  return canRepeat && expiresAt > now ? expiresAt : null
}

function intervalFor(ageMs: number, status: Payment['status']): number {
  // A success after a failure is rare, and a webhook announces it.
  if (status === 'failed') return HOUR_MS
  if (ageMs < FREQUENT_CHECKS_MS) return 15_000 + (Math.max(ageMs, 0) / FREQUENT_CHECKS_MS) * 45_000
  return ageMs < DAY_MS ? 15 * MINUTE_MS : HOUR_MS
}
