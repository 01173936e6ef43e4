import { describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import type { RailName } from '../channels.ts'
import type { PaymentStatus } from '../sql/payments.ts'
import { nextCheck } from './check-schedule.ts'

const createdAt = new Date('2026-11-15T09:00:00Z')
const day = (rail: RailName, status: PaymentStatus = 'pending') => ({
  rail,
  status,
  createdAt,
  expiresAt: after(createdAt, { hours: 24 }),
})

/** The delay until the next check at an age, in seconds. */
function pauseAt(hours: number, payment = day('paystack'), random = 0.5): number | null {
  const now = after(createdAt, { hours })
  const next = nextCheck(payment, now, random)
  return next && (next.getTime() - now.getTime()) / 1000
}

describe('the next check', () => {
  test.for([
    ['every 15 seconds at first', 0, 15],
    ['every minute towards a quarter of an hour', 0.2499, 60],
    ['every 15 minutes on the first day', 0.25, 900],
    ['every 15 minutes late on the first day', 23.5, 900],
    ['every hour after that', 30, 3600],
  ] as const)('%s', ([, hours, seconds]) => {
    expect(Math.round(pauseAt(hours) ?? 0)).toBe(seconds)
  })

  test('varies by a fifth, to spread payments that started together', () => {
    expect([pauseAt(1, day('paystack'), 0), pauseAt(1, day('paystack'), 1)]).toEqual([720, 1080])
  })

  test('is at the expiry time', () => {
    expect(pauseAt(23.9)).toBe(360)
  })

  test('is hourly after a failure', () => {
    expect(pauseAt(0, day('paystack', 'failed'))).toBe(3600)
  })
})

describe('checks end', () => {
  test('three days after expiry, or seven on slow rails', () => {
    // The last check is not skipped.
    expect(pauseAt(24 + 71.9)).toBeCloseTo(360)
    expect(pauseAt(24 + 72)).toBeNull()
    for (const rail of ['fawry', 'ozow'] as const) {
      expect(pauseAt(24 + 72, day(rail, 'expired'))).toBe(3600)
      expect(pauseAt(24 + 168, day(rail, 'expired'))).toBeNull()
    }
  })

  test('for settled payments and those under review', () => {
    expect(pauseAt(0, day('paystack', 'settled'))).toBeNull()
    expect(pauseAt(0, day('paystack', 'review'))).toBeNull()
  })
})
