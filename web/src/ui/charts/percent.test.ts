import { expect, test } from 'vitest'
import { percentOf } from './percent.ts'

test('a share is a whole percentage, and never rounds to 0 or 100', () => {
  expect(percentOf(1n, 2n)).toBe(50)
  expect(percentOf(1n, 1_000_000n)).toBe(1)
  expect(percentOf(999_999n, 1_000_000n)).toBe(99)
  expect([percentOf(0n, 5n), percentOf(5n, 0n), percentOf(7n, 5n), percentOf(-1n, 5n)]).toEqual([
    0, 0, 100, 0,
  ])
})
