import { expect, test } from 'vitest'
import { ASKS_MAX, pauseAfter } from './pace.ts'

test('questions about a payment come ever more seldom, and end after some ten minutes', () => {
  const pauses = Array.from({ length: ASKS_MAX }, (_, asks) => pauseAfter(asks) ?? 0)
  expect(pauses.slice(0, 4)).toEqual([3_000, 4_500, 6_750, 10_125])
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(Math.max(...pauses)).toBe(30_000)
  const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60_000
  expect(minutes).toBeGreaterThan(9)
  expect(minutes).toBeLessThan(11)
  expect(pauseAfter(ASKS_MAX)).toBeNull()
})
