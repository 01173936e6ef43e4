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

/** How long the pause is at some age, in seconds. */
function pauseAt(hours: number, payment = day('paystack'), random = 0.5): number | null {
  const now = after(createdAt, { hours })
  const next = nextCheck(payment, now, random)
  return next && (next.getTime() - now.getTime()) / 1000
}

describe('a payment is asked about', () => {
  test.for([
    ['every 15 seconds at first', 0, 15],
    ['every minute towards a quarter of an hour', 0.2499, 60],
    ['every 15 minutes on the first day', 0.25, 900],
    ['every 15 minutes late on the first day', 23.5, 900],
    ['every hour after that', 30, 3600],
  ] as const)('%s', ([, hours, seconds]) => {
    expect(Math.round(pauseAt(hours) ?? 0)).toBe(seconds)
  })

  test('a fifth sooner or later, so that those begun together part', () => {
    expect([pauseAt(1, day('paystack'), 0), pauseAt(1, day('paystack'), 1)]).toEqual([720, 1080])
  })

  test('at the very moment it expires', () => {
    expect(pauseAt(23.9)).toBe(360)
  })

  test('every hour after a failure', () => {
    expect(pauseAt(0, day('paystack', 'failed'))).toBe(3600)
  })
})

describe('nobody asks any more', () => {
  test('three days after it expired; seven on rails that take days', () => {
    // The last question is not slept through.
    expect(pauseAt(24 + 71.9)).toBeCloseTo(360)
    expect(pauseAt(24 + 72)).toBeNull()
    for (const rail of ['fawry', 'ozow'] as const) {
      expect(pauseAt(24 + 72, day(rail, 'expired'))).toBe(3600)
      expect(pauseAt(24 + 168, day(rail, 'expired'))).toBeNull()
    }
  })

  test('about what is settled or under review', () => {
    expect(pauseAt(0, day('paystack', 'settled'))).toBeNull()
    expect(pauseAt(0, day('paystack', 'review'))).toBeNull()
  })
})
