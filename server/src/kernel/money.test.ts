import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add,
  currencies,
  describeCurrency,
  format,
  fromMajor,
  INT64_MAX,
  min,
  money,
  ngn,
  scaleHalfUp,
  scaleUp,
  subtract,
} from './money.ts'

describe('arithmetic', () => {
  test('rejects mixed currencies', () => {
    expect(() => add(ngn(1n), money(1n, 'KES'))).toThrow('NGN and KES do not mix')
    expect(() => subtract(ngn(1n), money(1n, 'KES'))).toThrow()
    expect(() => min(ngn(1n), money(1n, 'KES'))).toThrow()
  })

  test('rejects values over 64 bits', () => {
    expect(() => add(ngn(INT64_MAX), ngn(1n))).toThrow('money fits 64 bits')
  })

  test('rounds up once, by less than a unit', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 12n),
        fc.bigInt(0n, 10n ** 6n),
        fc.bigInt(1n, 10n ** 6n),
        (minor, numerator, denominator) => {
          const scaled = scaleUp(ngn(minor), numerator, denominator).minor
          expect(scaled * denominator).toBeGreaterThanOrEqual(minor * numerator)
          expect((scaled - 1n) * denominator).toBeLessThan(minor * numerator || 1n)
        },
      ),
    )
  })

  test.for([
    [100n, 1n, 3n, 33n],
    [100n, 1n, 8n, 13n],
    [100n, 3n, 8n, 38n],
    [1n, 1n, 2n, 1n],
    [0n, 1n, 2n, 0n],
  ])('rounds %s × %s ÷ %s half up to %s', ([minor = 0n, numerator = 0n, denominator = 1n, expected]) => {
    expect(scaleHalfUp(ngn(minor), numerator, denominator).minor).toBe(expected)
  })
})

describe('major units', () => {
  test.for([
    ['1500.5', 150050n],
    ['1500.50', 150050n],
    ['0.01', 1n],
    ['0.1', 10n],
    ['1.10', 110n],
    ['9007199254740993', 900719925474099300n],
  ])('%s naira are exactly %s kobo', ([major, minor]) => {
    expect(fromMajor(major as string, 'NGN')).toEqual(ngn(minor as bigint))
  })

  test('are parsed as written, where floating point would be off by a kobo', () => {
    expect(fromMajor(1.005 * 0 + 8.2, 'NGN')).toEqual(ngn(820n))
    expect(fromMajor(0.07, 'NGN')).toEqual(ngn(7n))
    expect(fromMajor(1151.1, 'NGN')).toEqual(ngn(115110n))
  })

  test.for(['0.001', '-1', '1e3', '', 'x', '1.', '.5', 'Infinity', '12345678901234567'])(
    'rejects %s',
    (major) => {
      expect(fromMajor(major, 'NGN')).toBeNull()
    },
  )

  test('of a currency without minor units have no fraction', () => {
    expect(fromMajor('500', 'UGX')).toEqual(money(500n, 'UGX'))
    expect(fromMajor('500.5', 'UGX')).toBeNull()
  })
})

test('amounts are formatted for display', () => {
  expect(format(ngn(123456789n))).toBe('₦1,234,567.89')
  expect(format(ngn(-5n))).toBe('-₦0.05')
  expect(format(money(1000n, 'XOF'))).toBe('CFA1,000')
})

test('every currency has the minor unit of ISO 4217', () => {
  for (const currency of currencies) {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions()
    expect([currency, describeCurrency(currency).minorUnit]).toEqual([
      currency,
      10 ** (maximumFractionDigits ?? -1),
    ])
  }
})

test('every currency has a symbol and a minor unit that is a power of ten', () => {
  for (const code of currencies) {
    const { symbol, minorUnit, minorName } = describeCurrency(code)
    expect(symbol && minorName).toBeTruthy()
    expect(Math.log10(minorUnit) % 1).toBe(0)
  }
})
