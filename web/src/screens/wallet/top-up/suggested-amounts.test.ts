import { expect, test } from 'vitest'
import { amountsFor, atLeast, roundMoney } from './suggested-amounts.ts'

const NGN = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const UGX = { code: 'UGX', symbol: 'USh', minorUnit: 1, minorName: 'shilling' }
const range = { minMinor: 5_000n, maxMinor: 300_000n, stepMinor: 100n }

test('round amounts within the limits of the channel are offered', () => {
  expect(amountsFor(NGN, range)).toEqual([100_000n, 200_000n])
  expect(amountsFor(UGX, { ...range, maxMinor: 5_000_000n })).toEqual([5_000n, 10_000n, 20_000n])
  expect(roundMoney(200_000n, NGN)).toBe('₦2,000')
  expect(roundMoney(5_000n, UGX)).toBe('USh\u00a05,000')
})

test.for([
  [1n, 5_000n],
  [5_000n, 5_000n],
  [5_001n, 5_100n],
  [123_456n, 123_500n],
] as const)('who needs %s is offered %s, the least that is enough and can be paid', ([needed, offered]) => {
  expect(atLeast(needed, range)).toBe(offered)
})
