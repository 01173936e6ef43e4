import { expect, test } from 'vitest'
import { positionOf, readNumber } from './setting-values.ts'

test('only an integer within its bounds is valid', () => {
  const percent = { min: 0, max: 100 }
  expect(readNumber(' 25 ', percent)).toBe(25)
  expect(readNumber('0', percent)).toBe(0)
  expect(readNumber('100', percent)).toBe(100)
  for (const text of ['140', '-1', '2.5', '2,5', '1e2', '', 'many', '9'.repeat(16)])
    expect(readNumber(text, percent)).toBe(null)
})

test('a slider position is linear, or logarithmic for a wide range', () => {
  expect(positionOf(25, { min: 0, max: 100 })).toBe(0.25)
  expect(positionOf(140, { min: 0, max: 100 })).toBe(1)
  expect(positionOf(10, { min: 10, max: 10 })).toBe(0)
  const wide = { min: 0, max: 1_000_000_000 }
  expect(positionOf(0, wide)).toBe(0)
  expect(positionOf(90_000, wide)).toBeGreaterThan(0.4)
  expect(positionOf(1_000_000_000, wide)).toBe(1)
})
