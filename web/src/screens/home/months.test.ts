import { expect, test } from 'vitest'
import { monthSpend, startOfLastMonth } from './months.ts'

const NOW = new Date('2026-03-02T10:00:00Z')

test('each day of the month stands beside the same day of the month before', () => {
  const spend = monthSpend(
    [
      { day: '2026-02-01', costMinor: 5n },
      { day: '2026-02-03', costMinor: 70n },
      { day: '2026-03-02', costMinor: 9n },
    ],
    NOW,
  )
  expect(spend.days).toHaveLength(31)
  expect(spend.days[1]).toEqual({ day: '2026-03-02', costMinor: 9n, beforeMinor: 0n })
  expect(spend.days[30]).toEqual({ day: '2026-03-31', costMinor: 0n, beforeMinor: 0n })
  // The month before counts up to the same day only.
  expect([spend.sumMinor, spend.beforeMinor]).toEqual([9n, 5n])
})

test('the month before January is December', () => {
  expect(startOfLastMonth(new Date('2026-01-15T00:00:00Z'))).toBe('2025-12-01T00:00:00Z')
})
