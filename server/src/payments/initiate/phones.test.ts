import { describe, expect, test } from 'vitest'
import type { Currency } from '../../kernel/money.ts'
import { normaliseAnyPhone, normalisePhone } from './phones.ts'

describe('a phone number', () => {
  test.for<[Currency, string, string]>([
    ['KES', '+254712345678', '+254712345678'],
    ['KES', '0712345678', '+254712345678'],
    ['KES', '0112 345 678', '+254112345678'],
    ['KES', '254712345678', '+254712345678'],
    ['KES', '00254-712-345-678', '+254712345678'],
    ['KES', '+254 (0)712 345 678', '+254712345678'],
    ['GHS', '024 412 3456', '+233244123456'],
    ['GHS', '+233201234567', '+233201234567'],
    ['UGX', '0772.123.456', '+256772123456'],
    ['RWF', '0781234567', '+250781234567'],
    ['ZMW', '0961234567', '+260961234567'],
    ['EGP', '01012345678', '+201012345678'],
    ['NGN', '08031234567', '+2348031234567'],
    ['ZAR', '082 123 4567', '+27821234567'],
    ['TZS', '0712345678', '+255712345678'],
    ['GNF', '620123456', '+224620123456'],
    ['XAF', '671234567', '+237671234567'],
    ['XAF', '061234567', '+242061234567'],
    ['XOF', '0712345678', '+2250712345678'],
    ['XOF', '+2290197123456', '+2290197123456'],
    ['XOF', '2250112345678', '+2250112345678'],
  ])('for %s written as %s is parsed as %s', ([currency, written, number]) => {
    expect(normalisePhone(written, currency)).toBe(number)
  })

  test.for<[Currency, string]>([
    ['KES', ''],
    ['KES', '12345'],
    ['KES', '071234567'],
    ['KES', '07123456789'],
    ['KES', '+233244123456'],
    ['KES', '712345678'],
    ['KES', '+254812345678'],
    ['KES', '0712345678; drop'],
    ['KES', '٠٧١٢٣٤٥٦٧٨'],
    ['KES', '++254712345678'],
    ['KES', '0712345678\n'.repeat(2)],
    ['EGP', '01312345678'],
    ['USD', '+254712345678'],
    ['GHS', '+2330244123456789'],
  ])('that is invalid for %s (%s) is rejected', ([currency, written]) => {
    expect(normalisePhone(written, currency)).toBeNull()
  })

  test('in an ambiguous national format needs its country code', () => {
    expect(normalisePhone('0112345678', 'XOF')).toBeNull()
    expect(normalisePhone('+2250112345678', 'XOF')).toBe('+2250112345678')
    expect(normalisePhone('+2290112345678', 'XOF')).toBe('+2290112345678')
  })

  test('that is only stored can be of any country', () => {
    expect(normaliseAnyPhone('+44 7700 900123', 'NGN')).toBe('+447700900123')
    expect(normaliseAnyPhone('0044 7700 900123', 'USD')).toBe('+447700900123')
    expect(normaliseAnyPhone('08031234567', 'NGN')).toBe('+2348031234567')
    expect(normaliseAnyPhone('7700900123', 'NGN')).toBeNull()
    expect(normaliseAnyPhone('+0123456789', 'NGN')).toBeNull()
    expect(normaliseAnyPhone('call me', 'NGN')).toBeNull()
  })
})
