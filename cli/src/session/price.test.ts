import { expect, test } from 'vitest'
import { toTurnPrice } from './price.ts'

const QUOTE = {
  model: 'open',
  maxMinor: 1_000n,
  leastMinor: 10n,
  usuallyMinor: { low: 50, high: 120 },
  balanceMinor: 9_000n,
  affordable: true,
}

test.for([
  { it: 'no budget', left: null, price: { maxMinor: 1_000n, passesBudget: false, affordable: true } },
  { it: 'plenty', left: 5_000n, price: { maxMinor: 1_000n, passesBudget: false, affordable: true } },
  {
    it: 'less than the maximum, more than usual',
    left: 500n,
    price: { maxMinor: 500n, passesBudget: false, affordable: true },
  },
  { it: 'less than usual', left: 100n, price: { maxMinor: 100n, passesBudget: true, affordable: true } },
  { it: 'too little to start', left: 5n, price: { maxMinor: 5n, passesBudget: true, affordable: false } },
  { it: 'overspent', left: -5n, price: { maxMinor: 0n, passesBudget: true, affordable: false } },
])('the price with a budget: $it', ({ left, price }) => {
  expect(toTurnPrice(QUOTE, left)).toMatchObject(price)
})

test('without comparable turns, ten times the least is expected', () => {
  const unknown = { ...QUOTE, usuallyMinor: null }
  expect(toTurnPrice(unknown, 101n)).toMatchObject({ passesBudget: false, usuallyMinor: null })
  expect(toTurnPrice(unknown, 100n).passesBudget).toBe(true)
})
