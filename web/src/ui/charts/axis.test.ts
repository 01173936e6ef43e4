import { expect, test } from 'vitest'
import { labelledPlaces, ticksFor } from './axis.ts'

test('ticks are round values from zero to the first that covers the highest', () => {
  expect(ticksFor(676n)).toEqual([0n, 200n, 400n, 600n, 800n])
  expect(ticksFor(2_000_000n)).toEqual([0n, 500_000n, 1_000_000n, 1_500_000n, 2_000_000n])
  expect(ticksFor(3n)).toEqual([0n, 1n, 2n, 3n])
  expect(ticksFor(0n)).toEqual([0n])
})

test('a few places are labelled at equal distances, the last among them', () => {
  expect(labelledPlaces(1)).toEqual([0])
  expect(labelledPlaces(3)).toEqual([0, 1, 2])
  expect(labelledPlaces(7)).toEqual([0, 2, 4, 6])
  expect(labelledPlaces(30)).toEqual([5, 13, 21, 29])
})
