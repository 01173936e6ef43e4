import { expect, test } from 'vitest'
import { usualCost } from './usual-cost.ts'

const naira = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' } as const

test('the usual cost is a range, or one amount', () => {
  expect(usualCost({ low: 1_200, high: 3_000 }, naira)).toBe('₦12.00–₦30.00')
  expect(usualCost({ low: 1_200, high: 1_200 }, naira)).toBe('₦12.00')
})
