import { expect, test } from 'vitest'
import { cardWarning } from './card-warning.ts'

test.for<[month: string, expired: boolean, said: string | null]>([
  ['2026-10', true, 'expired'],
  ['2026-11', false, 'soon'],
  ['2026-12', false, 'soon'],
  ['2027-01', false, null],
  ['2030-01', false, null],
])('a card valid until %s, checked in November 2026', ([month, expired, said]) => {
  const [expYear = 0, expMonth = 0] = month.split('-').map(Number)
  expect(cardWarning({ expired, expMonth, expYear }, new Date('2026-11-16T12:00:00Z'))).toBe(said)
})
