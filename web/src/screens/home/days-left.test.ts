import { expect, test } from 'vitest'
import { daysLeft } from './days-left.ts'

const NOW = new Date('2026-11-16T10:00:00Z')
const spent = (day: string, costMinor: bigint) => ({ day, costMinor, tokens: 1 })

test.for([
  ['a week of 100 a day', 700n, [spent('2026-11-16', 400n), spent('2026-11-10', 300n)], 7],
  [
    'spending before that week does not count',
    700n,
    [spent('2026-11-09', 9_999n), spent('2026-11-12', 700n)],
    7,
  ],
  ['parts of a day are not promised', 199n, [spent('2026-11-15', 700n)], 1],
  ['an empty wallet', 0n, [spent('2026-11-15', 700n)], 0],
] as const)('the balance lasts as long as its last seven days say: %s', ([, left, byDay, days]) => {
  const lasts = daysLeft(left, [...byDay], NOW)
  expect(lasts?.days).toBe(days)
  expect(lasts?.until.getTime()).toBe(NOW.getTime() + days * 86_400_000)
})

test('without spending there is no date, and with very low spending no false precision', () => {
  expect(daysLeft(700n, [], NOW)).toBeNull()
  expect(daysLeft(10n ** 15n, [spent('2026-11-15', 1n)], NOW)).toMatchObject({ days: 365, isLonger: true })
})
