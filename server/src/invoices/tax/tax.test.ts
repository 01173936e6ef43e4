import { describe, expect, test } from 'vitest'
import { splitCredit, splitTax, taxPartsOf } from './tax.ts'
import { TAX_RATES } from './tax-rates.ts'

const NOW = new Date('2026-11-15T09:00:00Z')
const LAST_YEAR = new Date('2025-12-31T23:59:59Z')
const sum = (taxes: readonly { amountMinor: bigint }[]) =>
  taxes.reduce((all, { amountMinor }) => all + amountMinor, 0n)

// Every country that can have a wallet. Null if no source for a rate has been read yet: its invoices show no tax.
const WALLET_COUNTRIES: Readonly<Record<string, number | null>> = {
  ...{ NG: 750, KE: 1600, GH: 2000, ZA: 1500, EG: 1400, UG: 1800, RW: 1800, TZ: 1800, ZM: 1600 },
  ...{ CI: 1800, BJ: 1800, SN: 1800, BF: null, GW: null, ML: null, NE: null, TG: null },
  ...{ CM: 1925, CF: null, TD: null, CG: null, GQ: null, GA: null },
  ...{ GN: null, LR: null, ZW: null },
}

test.for(Object.entries(WALLET_COUNTRIES))('the standard rate of %s is %s', ([country, rateBps]) => {
  const parts = taxPartsOf(country, NOW)
  expect(parts.length === 0 ? null : parts.reduce((all, part) => all + part.rateBps, 0)).toBe(rateBps)
})

describe('the tax in an amount', () => {
  test.for<[country: string, total: bigint, tax: bigint]>([
    ['NG', 107_500n, 7_500n],
    ['NG', 950_000n, 66_279n],
    ['KE', 116_000n, 16_000n],
    ['ZA', 115_000n, 15_000n],
    ['EG', 114_000n, 14_000n],
    ['GH', 120_000n, 20_000n],
    ['UG', 118_000n, 18_000n],
    ['TZ', 118_000n, 18_000n],
    ['RW', 118_000n, 18_000n],
    ['ZM', 116_000n, 16_000n],
    ['CI', 118_000n, 18_000n],
    ['BJ', 118_000n, 18_000n],
    ['SN', 118_000n, 18_000n],
    ['CM', 119_250n, 19_250n],
    ['TG', 118_000n, 0n],
    ['NG', 0n, 0n],
    // Half of the smallest unit rounds up: 3 at 20 % contain exactly one half.
    ['GH', 3n, 1n],
    ['NG', 7n, 0n],
    ['NG', 8n, 1n],
  ])('of %s: %s contains %s', ([country, total, tax]) => {
    const split = splitTax(total, 'NGN', taxPartsOf(country, NOW))
    expect(split.taxMinor).toBe(tax)
    expect(split.subtotalMinor + split.taxMinor).toBe(total)
    expect(sum(split.taxes)).toBe(tax)
  })

  test('is divided among the three taxes of Ghana without a remainder', () => {
    expect(splitTax(120_000n, 'GHS', taxPartsOf('GH', NOW)).taxes).toEqual([
      { name: 'VAT', rateBps: 1500, amountMinor: 15_000n },
      { name: 'NHIL', rateBps: 250, amountMinor: 2_500n },
      { name: 'GETFund', rateBps: 250, amountMinor: 2_500n },
    ])
    for (let total = 0n; total < 500n; total++) {
      const { taxMinor, taxes } = splitTax(total, 'GHS', taxPartsOf('GH', NOW))
      expect(sum(taxes)).toBe(taxMinor)
      expect(taxes.every(({ amountMinor }) => amountMinor >= 0n)).toBe(true)
    }
  })

  test('depends on the date: Ghana added its levies to the VAT base until the end of 2025', () => {
    const { taxMinor, taxes } = splitTax(121_900n, 'GHS', taxPartsOf('GH', LAST_YEAR))
    expect(taxMinor).toBe(21_900n)
    expect(taxes.map(({ amountMinor }) => amountMinor)).toEqual([15_900n, 2_500n, 2_500n, 1_000n])
    expect(taxPartsOf('GH', new Date('2026-01-01T00:00:00Z'))).toHaveLength(3)
  })

  test('is zero before the first known rate and without a country', () => {
    expect(taxPartsOf('NG', new Date('2020-01-31T23:59:59Z'))).toEqual([])
    expect(taxPartsOf('NG', new Date('2020-02-01T00:00:00Z'))).toHaveLength(1)
    expect(taxPartsOf(null, NOW)).toEqual([])
  })
})

test('partial credits together return exactly the tax of the whole', () => {
  const parts = taxPartsOf('GH', NOW)
  const whole = splitTax(9_999n, 'GHS', parts)
  let before = 0n
  let taxBack = 0n
  for (const amount of [1n, 2n, 3n, 333n, 4_660n, 5_000n]) {
    const split = splitCredit(before, amount, 'GHS', parts)
    expect(split.subtotalMinor + split.taxMinor).toBe(amount)
    expect(sum(split.taxes)).toBe(split.taxMinor)
    taxBack += split.taxMinor
    before += amount
  }
  expect(before).toBe(9_999n)
  expect(taxBack).toBe(whole.taxMinor)
})

test('every rate has a country, a start date and a source', () => {
  for (const { country, from, parts, source } of TAX_RATES) {
    expect(country).toMatch(/^[A-Z]{2}$/)
    expect(new Date(from).toISOString().slice(0, 10)).toBe(from)
    expect(parts.length).toBeGreaterThan(0)
    expect(source).not.toBe('')
  }
  const keys = TAX_RATES.map(({ country, from }) => `${country} ${from}`)
  expect(new Set(keys).size).toBe(keys.length)
})
