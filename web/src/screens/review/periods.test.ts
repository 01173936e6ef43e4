import { expect, test } from 'vitest'
import { periodsOf } from './periods.ts'

test('cumulative counts become counts per period, the oldest first', () => {
  expect(
    periodsOf([
      { days: 30, confirmed: 2, refuted: 1 },
      { days: 60, confirmed: 5, refuted: 1 },
    ]),
  ).toEqual([
    { from: 30, to: 60, confirmed: 3, refuted: 0 },
    { from: 0, to: 30, confirmed: 2, refuted: 1 },
  ])
})
