import { expect, test } from 'vitest'
import { pollIntervalMs } from './poll-interval.ts'

test.for([
  [false, 5_000, 120],
  [true, 15_000, 40],
] as const)('polling ends after ten minutes; data saver: %s', ([isSaving, pauseMs, asks]) => {
  expect(pollIntervalMs(0, isSaving)).toBe(pauseMs)
  expect(pollIntervalMs(asks - 1, isSaving)).toBe(pauseMs)
  expect(pollIntervalMs(asks, isSaving)).toBeNull()
})
