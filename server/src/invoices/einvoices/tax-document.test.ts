import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitTax, taxPartsOf } from '../tax/tax.ts'
import { decimal, taxLinesOf, unitsOf } from './tax-document.ts'

const GHANA = taxPartsOf('GH', new Date('2026-11-15'))
const line = (amountMinor: bigint, quantity = 1, description = 'x') => ({
  description,
  quantity,
  amountMinor,
})
const sum = (minors: readonly bigint[]) => minors.reduce((a, b) => a + b, 0n)

describe('the taxes of a document', () => {
  test('are divided among its lines without a remainder, whatever the amounts', () => {
    const amounts = fc.array(fc.bigInt({ min: -5_000n, max: 1_000_000n }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(amounts, (minors) => {
        const totalMinor = sum(minors)
        fc.pre(totalMinor > 0n)
        const { taxes, subtotalMinor } = splitTax(totalMinor, 'GHS', GHANA)
        const lines = taxLinesOf(
          minors.map((minor) => line(minor)),
          taxes,
          'GHS',
        )
        expect(sum(lines.map(({ grossMinor }) => grossMinor))).toBe(totalMinor)
        expect(sum(lines.map(({ netMinor }) => netMinor))).toBe(subtotalMinor)
        for (const [at, tax] of taxes.entries())
          expect(sum(lines.map(({ taxesMinor }) => taxesMinor[at] ?? 0n))).toBe(tax.amountMinor)
        expect(lines.every(({ grossMinor, netMinor }) => grossMinor > 0n && netMinor >= 0n)).toBe(true)
      }),
    )
  })

  test('with a credit are on one line, because authorities take no negative lines', () => {
    const { taxes } = splitTax(90_000n, 'GHS', GHANA)
    const lines = taxLinesOf([line(120_000n, 1, 'Pro'), line(-30_000n, 1, 'Unused days')], taxes, 'GHS')
    expect(lines).toMatchObject([{ description: 'Pro; Unused days', quantity: 1, grossMinor: 90_000n }])
  })
})

test('the quantity and the price of one give the amount exactly', () => {
  expect(unitsOf(900n, 3)).toEqual({ quantity: 3, unitMinor: 300n })
  expect(unitsOf(1_000n, 3)).toEqual({ quantity: 1, unitMinor: 1_000n })
  expect(unitsOf(1_000n, 0)).toEqual({ quantity: 1, unitMinor: 1_000n })
})

test('amounts have the digits of their currency', () => {
  expect(decimal(5n, 'KES')).toBe('0.05')
  expect(decimal(123_456_789_012_345_678n, 'NGN')).toBe('1234567890123456.78')
  expect(decimal(500n, 'UGX')).toBe('500')
  expect(() => decimal(-1n, 'NGN')).toThrow('no negative amounts')
})
