import { expect, test } from 'vitest'
import { formatMoney } from './money.ts'

test.for([
  { minor: 0n, symbol: '₦', minorUnit: 100, text: '₦0.00' },
  { minor: 5n, symbol: '₦', minorUnit: 100, text: '₦0.05' },
  { minor: 150_050n, symbol: '₦', minorUnit: 100, text: '₦1,500.50' },
  { minor: -150_050n, symbol: 'KSh', minorUnit: 100, text: '-KSh1,500.50' },
  { minor: 1_234_567n, symbol: 'USh', minorUnit: 1, text: 'USh1,234,567' },
  { minor: 9223372036854775807n, symbol: '₦', minorUnit: 100, text: '₦92,233,720,368,547,758.07' },
])('$minor of $minorUnit to the unit is $text', ({ minor, text, ...currency }) => {
  expect(formatMoney(minor, currency)).toBe(text)
})
