import { describe, expect, test } from 'vitest'
import { amountProblem, parseAmount } from './parse-amount.ts'

const NGN = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const KES = { code: 'KES', symbol: 'KSh', minorUnit: 100, minorName: 'cent' }
const UGX = { code: 'UGX', symbol: 'USh', minorUnit: 1, minorName: 'shilling' }

describe('an amount is parsed exactly', () => {
  test.for([
    ['2000', NGN, 200_000n],
    [' 2000 ', NGN, 200_000n],
    ['0.1', NGN, 10n],
    ['0,29', NGN, 29n],
    ['1500.50', NGN, 150_050n],
    ['1500,5', NGN, 150_050n],
    ['1,234.56', NGN, 123_456n],
    ['1.234,56', NGN, 123_456n],
    ['1,234,567', NGN, 123_456_700n],
    ['1 234 567,89', NGN, 123_456_789n],
    ['1\u202f234', NGN, 123_400n],
    ['\u200f\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0666', NGN, 123_456n],
    ['\u06f2\u06f0\u06f0\u06f0', NGN, 200_000n],
    ['₦1500', NGN, 150_000n],
    ['ngn 1500', NGN, 150_000n],
    ['KSh 250', KES, 25_000n],
    ['999999999999999.99', NGN, 99_999_999_999_999_999n],
    ['1500', UGX, 1_500n],
    ['1,500', UGX, 1_500n],
    ['0', NGN, 0n],
  ] as const)('%s', ([typed, currency, minor]) => {
    expect(parseAmount(typed, currency)).toEqual({ minor })
  })
})

describe('an invalid amount is refused with a hint', () => {
  test.for([
    ['', NGN, 'must be a number such as 1500.00'],
    ['ten', NGN, 'must be a number such as 1500.00'],
    ['-5', NGN, 'must be a number such as 1500.00'],
    ['1e3', NGN, 'must be a number such as 1500.00'],
    ['5.', NGN, 'must be a number such as 1500.00'],
    ['.5', NGN, 'must be a number such as 1500.00'],
    ['1,50.00', NGN, 'must be a number such as 1500.00'],
    ['1.2.3', NGN, 'must be a number such as 1500.00'],
    ['1 5', NGN, 'must be a number such as 1500.00'],
    ['1,234', NGN, 'is ambiguous; write 1234 or 1234.00'],
    ['1.234', NGN, 'is ambiguous; write 1234 or 1234.00'],
    ['1500.505', NGN, 'must have at most 2 digits after the decimal mark'],
    ['0.125', NGN, 'must have at most 2 digits after the decimal mark'],
    ['1000000000000000', NGN, 'is too large'],
    ['1.5', UGX, 'must be a whole number in this currency'],
    ['x', UGX, 'must be a number such as 150000'],
  ] as const)('"%s"', ([typed, currency, error]) => {
    expect(parseAmount(typed, currency)).toEqual({ error })
  })
})

test.for([
  [4_999n, 'must be at least ₦50.00 with Card'],
  [5_000n, null],
  [100_100n, 'must be at most ₦1,000.00 with Card'],
  [5_050n, 'must be a multiple of ₦1.00 with Card'],
] as const)('a channel takes only what it can carry: %s', ([minor, problem]) => {
  const range = { minMinor: 5_000n, maxMinor: 100_000n, stepMinor: 100n, label: 'Card' }
  expect(amountProblem(minor, range, NGN)).toBe(problem)
})
