import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../kernel/json.ts'
import { type Currency, currencies, format, money } from '../kernel/money.ts'
import { fromKobo, RATE_CARDS, type RateCardVersion, rateOf, toKobo } from './rate-card.ts'
import { walletSettings } from './settings.ts'

const versions = Object.keys(RATE_CARDS) as RateCardVersion[]
const version = fc.constantFrom(...versions)
const currency = fc.constantFrom(...currencies)
const kobo = fc.bigInt(0n, 10n ** 15n)

describe('a conversion', () => {
  test('is never below the exact quotient and less than one minor unit above it', () => {
    fc.assert(
      fc.property(version, currency, kobo, (card, code, amount) => {
        const { numerator, denominator } = rateOf(card, code)
        const { minor } = fromKobo(card, amount, code)
        const over = minor * denominator - amount * numerator
        expect(over >= 0n && over < denominator).toBe(true)
      }),
    )
  })

  test('is monotonic', () => {
    fc.assert(
      fc.property(version, currency, kobo, kobo, (card, code, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one]
        expect(fromKobo(card, less, code).minor <= fromKobo(card, more, code).minor).toBe(true)
      }),
    )
  })

  test('of naira changes nothing', () => {
    fc.assert(fc.property(version, kobo, (card, amount) => fromKobo(card, amount, 'NGN').minor === amount))
  })
})

describe('every rate card', () => {
  test.for(versions)('(%s) has a positive rate for every wallet currency', (card) => {
    expect(Object.keys(RATE_CARDS[card].rates).sort()).toEqual([...currencies].sort())
    for (const code of currencies) {
      const { numerator, denominator } = rateOf(card, code)
      expect(numerator > 0n && denominator > 0n).toBe(true)
    }
  })

  test('is an option of the setting, and other values are rejected', () => {
    const { type } = walletSettings.settings.rate_card_version
    expect(type.options?.map(({ value }) => value)).toEqual(versions)
    expect(type.read('2025-01').ok).toBe(false)
  })
})

// A wrong minor unit would be off by a factor of 100 here.
test.for<[Currency, string]>([
  ['NGN', '₦10,000.00'],
  ['KES', 'KSh890.00'],
  ['GHS', 'GH₵79.00'],
  ['ZAR', 'R119.00'],
  ['EGP', 'E£331.00'],
  ['UGX', 'USh24,500'],
  ['XOF', 'CFA3,900'],
  ['XAF', 'FCFA3,900'],
  ['RWF', 'FRw10,100'],
  ['TZS', 'TSh17,100.00'],
  ['ZMW', 'K157.00'],
  ['GNF', 'FG60,000'],
  ['USD', '$6.90'],
])('rate card 2026-11 converts ₦10,000 to %s as %s', ([code, amount]) => {
  expect(format(fromKobo('2026-11', 1_000_000n, code))).toBe(amount)
})

// Past charges are explained with the card of their time, so a shipped card must not change.
const SHIPPED: Record<RateCardVersion, string> = { '2026-11': 'f9ecf41e3523f37e' }

test.for(versions)('the rates of %s have not changed since they shipped', (card) => {
  const text = canonicalJson(RATE_CARDS[card].rates)
  expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(SHIPPED[card])
})

test.for([
  { minor: 89n, kobo: 1_000n },
  { minor: 1n, kobo: 11n },
  { minor: 4n, kobo: 45n },
  { minor: -4n, kobo: -45n },
  { minor: 0n, kobo: 0n },
])('$minor Kenyan cents convert to $kobo kobo', ({ minor, kobo }) => {
  expect(toKobo('2026-11', money(minor, 'KES'))).toBe(kobo)
})
