import { expect, test } from 'vitest'
import { distance, quantile, sameSourceProbability } from './kolmogorov.ts'

const evenly = (from: number, step = 1) => Array.from({ length: 200 }, (_, i) => from + i * step)

test('samples of one source get a high probability, shifted ones a low one', () => {
  expect(sameSourceProbability(evenly(0), evenly(0.5))).toBeGreaterThan(0.99)
  expect(sameSourceProbability(evenly(0), evenly(100))).toBeLessThan(1e-6)
  expect(sameSourceProbability(evenly(0), evenly(0, 3))).toBeLessThan(1e-6)
})

test('the distance is the largest gap, ties counted together', () => {
  expect(distance([1, 1, 2, 2], [1, 1, 2, 2])).toBe(0)
  expect(distance([1, 2, 3, 4], [5, 6, 7, 8])).toBe(1)
  expect(distance([1, 2, 3, 4], [3, 4, 5, 6])).toBe(0.5)
})

test('a distance of 0.136 between two samples of 200 has a probability of about five percent, as in published tables', () => {
  const shifted = evenly(27.2)
  expect(distance(evenly(0), shifted)).toBeCloseTo(0.14, 2)
  const p = sameSourceProbability(evenly(0), shifted)
  expect(p).toBeGreaterThan(0.02)
  expect(p).toBeLessThan(0.06)
})

test('a quantile is one of the samples', () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([3, 1, 2], 1)).toBe(3)
})
