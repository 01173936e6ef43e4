import { expect, test } from 'vitest'
import { costLine, formatMoney, maxCostOf, parseMoney, usualCostText } from './money.ts'

const naira = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' } as const
const ugandan = { code: 'UGX', symbol: 'USh', minorUnit: 1, minorName: 'shilling' } as const

test.for([
  { minor: 0n, symbol: '₦', minorUnit: 100, text: '₦0.00' },
  { minor: 5n, symbol: '₦', minorUnit: 100, text: '₦0.05' },
  { minor: 150_050n, symbol: '₦', minorUnit: 100, text: '₦1,500.50' },
  { minor: -150_050n, symbol: 'KSh', minorUnit: 100, text: '-KSh1,500.50' },
  { minor: 1_234_567n, symbol: 'USh', minorUnit: 1, text: 'USh1,234,567' },
  { minor: 9223372036854775807n, symbol: '₦', minorUnit: 100, text: '₦92,233,720,368,547,758.07' },
])('$minor with $minorUnit minor units per unit is $text', ({ minor, text, ...currency }) => {
  expect(formatMoney(minor, currency)).toBe(text)
})

test.for([
  { text: '2000', currency: naira, minor: 200_000n },
  { text: '12.50', currency: naira, minor: 1_250n },
  { text: '12.5', currency: naira, minor: 1_250n },
  { text: '0.05', currency: naira, minor: 5n },
  { text: '0', currency: naira, minor: 0n },
  { text: '007', currency: naira, minor: 700n },
  { text: '90071992547409.93', currency: naira, minor: 9_007_199_254_740_993n },
  { text: '2000', currency: ugandan, minor: 2_000n },
])('$text parses as $minor', ({ text, currency, minor }) => {
  expect(parseMoney(text, currency, 'The amount')).toBe(minor)
})

test.for([
  {
    text: '12.505',
    currency: naira,
    why: 'The amount has too many decimals: NGN has 2.',
  },
  { text: '12.5', currency: ugandan, why: 'The amount has decimals, and UGX has none.' },
  { text: '2,000', currency: naira, why: 'The amount must have no separators: write 2000, not 2,000.' },
  {
    text: '1 200 000.50',
    currency: naira,
    why: 'The amount must have no separators: write 1200000.50, not 1 200 000.50.',
  },
  { text: '-5', currency: naira, why: 'The amount must be digits in NGN, such as 2000 or 12.50.' },
  { text: '12,50', currency: naira, why: 'The amount must be digits in NGN, such as 2000 or 12.50.' },
  { text: '₦500', currency: naira, why: 'The amount must be digits in NGN, such as 2000 or 12.50.' },
  { text: '1e3', currency: ugandan, why: 'The amount must be digits in UGX, such as 2000.' },
  { text: '', currency: naira, why: 'The amount must be digits in NGN, such as 2000 or 12.50.' },
  { text: '1234567890123456', currency: naira, why: 'The amount is too large.' },
])('"$text" is refused: $why', ({ text, currency, why }) => {
  expect(() => parseMoney(text, currency, 'The amount')).toThrow(
    expect.objectContaining({ name: 'UsageError', message: why }),
  )
})

test('the cost limit comes from the option, otherwise from the setting', () => {
  expect(maxCostOf({ values: { 'max-cost': '12.50' }, config: { maxCost: '500' } }, naira)).toBe(1_250n)
  expect(maxCostOf({ values: { 'max-cost': '0' }, config: { maxCost: '500' } }, naira)).toBe(0n)
  expect(maxCostOf({ values: {}, config: { maxCost: '500' } }, naira)).toBe(50_000n)
  expect(maxCostOf({ values: {}, config: {} }, naira)).toBeUndefined()
  expect(() => maxCostOf({ values: {}, config: { maxCost: '0.125' } }, naira)).toThrow(
    'The setting maxCost has too many decimals',
  )
})

test('the last line shows cost, balance and result id', () => {
  const paid = { costMinor: 13_000n, balanceMinor: 1_699_000n, currency: naira }
  expect(costLine({ ...paid, result: '7k2f' })).toBe('Cost ₦130.00 · Balance ₦16,990.00 · result 7k2f')
  expect(costLine(paid)).toBe('Cost ₦130.00 · Balance ₦16,990.00')
})

test('the usual cost is a range, or one amount, and never above the maximum', () => {
  expect(usualCostText({ low: 1_200, high: 3_000 }, 40_000n, naira)).toBe('usually ₦12.00–₦30.00')
  expect(usualCostText({ low: 1_200, high: 3_000 }, 2_000n, naira)).toBe('usually ₦12.00–₦20.00')
  expect(usualCostText({ low: 1_200, high: 3_000 }, 500n, naira)).toBe('usually ₦5.00')
})
