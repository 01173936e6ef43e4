import { describe, expect, test } from 'vitest'
import { day, moment } from '../app/words.ts'
import { mayBegin, nextPaymentWords, planStanding } from './plan-words.ts'
import type { Plan, Subscription } from './types.ts'

const NAIRA = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const END = '2026-12-15T10:00:00.000Z'
const PRO: Plan = {
  code: 'pro',
  name: 'Pro',
  interval: 'month',
  amountMinor: 950_000n,
  includedUsageMinor: 1_000_000n,
  seatAllotment: 1,
  seatPriceMinor: 0n,
}
const FREE: Plan = { ...PRO, code: 'free', name: 'Free', amountMinor: 0n }
const ACTIVE: Subscription = {
  planCode: 'pro',
  status: 'active',
  currentPeriodEnd: END,
  cancelAtPeriodEnd: false,
  scheduledChange: null,
  comped: false,
  nextAmountMinor: 950_000n,
  openInvoiceId: null,
  nextAttemptAt: null,
}

describe('a plan', () => {
  test.for<[what: string, changed: Partial<Subscription>, plan: Plan | null, words: string]>([
    ['that is paid for', {}, PRO, `Active until ${day(END)}, then renewed`],
    ['that is free', { nextAmountMinor: 0n }, FREE, 'Active'],
    ['that was cancelled', { cancelAtPeriodEnd: true }, PRO, `Active, ends on ${day(END)}`],
    [
      'with a change to come',
      { scheduledChange: { planCode: 'free', interval: 'month', effectiveAt: END } },
      PRO,
      `Active, changes to Free by the month on ${day(END)}`,
    ],
    [
      'that is unpaid',
      { status: 'past_due', nextAttemptAt: END },
      PRO,
      `Past due: we try your cards again on ${moment(END)}`,
    ],
    ['that nobody charges any more', { status: 'past_due' }, PRO, 'Past due'],
    ['whose first payment is awaited', { status: 'incomplete' }, null, 'Begun, and not paid for yet'],
  ])('%s says so', ([, changed, plan, words]) => {
    expect(planStanding({ ...ACTIVE, ...changed }, plan).words).toBe(words)
  })
})

test.for<[what: string, changed: Partial<Subscription>, words: string]>([
  ['has its date', {}, `₦9,500.00 on ${day(END)}`],
  ['is none after a cancellation', { cancelAtPeriodEnd: true }, 'None'],
  ['is none of what costs nothing', { nextAmountMinor: 0n }, 'None'],
  ['has no date while one is unpaid', { status: 'past_due' }, '₦9,500.00'],
])('the next payment %s', ([, changed, words]) => {
  expect(nextPaymentWords({ ...ACTIVE, ...changed }, NAIRA)).toBe(words)
})

test('a plan is begun by who has none that costs something', () => {
  expect([null, FREE, PRO].map((plan) => mayBegin({ plan }))).toEqual([true, true, false])
})
