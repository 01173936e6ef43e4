import type { Plan, Subscription } from '@cowrie/sdk'
import { describe, expect, test } from 'vitest'
import { formatDate, formatDateTime } from '../../../i18n/format.ts'
import { canStartPlan, nextPaymentText, planStatus, retryText, yearlySaving } from './plan-texts.ts'

const NAIRA = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const END = '2026-12-15T10:00:00.000Z'
const PRO: Plan = {
  code: 'pro',
  name: 'Pro',
  tier: 'individual',
  interval: 'month',
  amountMinor: 950_000n,
  currency: 'NGN',
  includedUsageMinor: 1_000_000n,
  seatAllotment: 1,
  seatPriceMinor: 0n,
}
const FREE: Plan = { ...PRO, code: 'free', name: 'Free', amountMinor: 0n }
const ACTIVE = {
  status: 'active',
  currentPeriodEnd: END,
  cancelAtPeriodEnd: false,
  scheduledChange: null,
  nextAmountMinor: 950_000n,
  nextAttemptAt: null,
} as const

describe('a plan', () => {
  test.for<[what: string, changed: Partial<Subscription>, plan: Plan | null, said: string]>([
    ['that is paid for', {}, PRO, `Active: Renews on ${formatDate(END)}`],
    ['that is free', {}, FREE, 'Active: '],
    ['that was cancelled', { cancelAtPeriodEnd: true }, PRO, `Cancelled: Ends on ${formatDate(END)}`],
    [
      'with a scheduled change',
      { scheduledChange: { planCode: 'free', interval: 'month', effectiveAt: END } },
      PRO,
      `Scheduled: Changes on ${formatDate(END)} to Free, monthly`,
    ],
    ['that is unpaid', { status: 'past_due' }, PRO, 'Past due: Your last renewal is unpaid.'],
    [
      'with a pending first payment',
      { status: 'incomplete' },
      null,
      'Not paid yet: Starts when the first payment arrives.',
    ],
  ])('%s has a text', ([, changed, plan, said]) => {
    const { label, words } = planStatus({ ...ACTIVE, ...changed }, plan)
    expect(`${label}: ${words}`).toBe(said)
  })
})

test('a past-due plan shows the next charge attempt, or that there is none', () => {
  expect(retryText({ nextAttemptAt: END })).toBe(`We will charge your cards again on ${formatDateTime(END)}.`)
  expect(retryText({ nextAttemptAt: null })).toBe('We will not charge your cards again automatically.')
})

test.for<[what: string, changed: Partial<Subscription>, words: string]>([
  ['is due at the end of the period', {}, `₦9,500.00 on ${formatDate(END)}`],
  ['has no date while one is unpaid', { status: 'past_due' }, '₦9,500.00'],
  ['does not come after a cancellation', { cancelAtPeriodEnd: true }, 'None'],
  ['does not come where there is nothing to pay', { nextAmountMinor: 0n }, 'None'],
])('the next payment: %s', ([, changed, words]) => {
  expect(nextPaymentText({ ...ACTIVE, ...changed }, NAIRA)).toBe(words)
})

test('a first paid plan can be started, but not a second', () => {
  expect([{ plan: null }, { plan: FREE }, { plan: PRO }].map(canStartPlan)).toEqual([true, true, false])
})

test('a yearly plan shows the saving against twelve months, if there is one', () => {
  const year: Plan = { ...PRO, interval: 'year', amountMinor: 9_500_000n }
  expect(yearlySaving([PRO, year], 'pro')).toBe(1_900_000n)
  expect(yearlySaving([PRO, { ...year, amountMinor: 11_400_000n }], 'pro')).toBeNull()
  expect(yearlySaving([PRO], 'pro')).toBeNull()
})
