import { expect, test } from 'vitest'
import { formatMoney } from './money.ts'

const NGN = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
const KES = { code: 'KES', symbol: 'KSh', minorUnit: 100, minorName: 'cent' }
const UGX = { code: 'UGX', symbol: 'USh', minorUnit: 1, minorName: 'shilling' }

test.for([
  { minor: 0n, currency: NGN, text: '₦0.00' },
  { minor: 5n, currency: NGN, text: '₦0.05' },
  { minor: -150_050n, currency: NGN, text: '−₦1,500.50' },
  { minor: 1_234_550n, currency: KES, text: 'KSh\u00a012,345.50' },
  { minor: 1_500n, currency: UGX, text: 'USh\u00a01,500' },
  { minor: 2n ** 63n - 1n, currency: NGN, text: '₦92,233,720,368,547,758.07' },
])('$minor is formatted as $text', ({ minor, currency, text }) => {
  expect(formatMoney(minor, currency, 'en-NG')).toBe(text)
})

test('separators follow the language, digits stay Latin', () => {
  expect(formatMoney(123_456_789n, NGN, 'fr-SN')).toBe('₦1\u202f234\u202f567,89')
  expect(formatMoney(123_456_789n, NGN, 'ar-EG')).toBe('₦1,234,567.89')
})
