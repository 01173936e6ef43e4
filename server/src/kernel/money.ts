// Money is a whole number of minor units with a currency. All arithmetic on it is here.
import { assert } from './assert.ts'

// Exponents follow ISO 4217. The first currencies belong to the countries we serve. A payment provider accepts each of the
// others.
const CURRENCIES = {
  NGN: { symbol: '₦', minorUnit: 100, minorName: 'kobo' },
  KES: { symbol: 'KSh', minorUnit: 100, minorName: 'cent' },
  GHS: { symbol: 'GH₵', minorUnit: 100, minorName: 'pesewa' },
  ZAR: { symbol: 'R', minorUnit: 100, minorName: 'cent' },
  EGP: { symbol: 'E£', minorUnit: 100, minorName: 'piastre' },
  UGX: { symbol: 'USh', minorUnit: 1, minorName: 'shilling' },
  XOF: { symbol: 'CFA', minorUnit: 1, minorName: 'franc' },
  XAF: { symbol: 'FCFA', minorUnit: 1, minorName: 'franc' },
  RWF: { symbol: 'FRw', minorUnit: 1, minorName: 'franc' },
  TZS: { symbol: 'TSh', minorUnit: 100, minorName: 'cent' },
  ZMW: { symbol: 'K', minorUnit: 100, minorName: 'ngwee' },
  GNF: { symbol: 'FG', minorUnit: 1, minorName: 'franc' },
  USD: { symbol: '$', minorUnit: 100, minorName: 'cent' },
} as const

export type Currency = keyof typeof CURRENCIES
export type Money = { readonly minor: bigint; readonly currency: Currency }

export const currencies = Object.keys(CURRENCIES) as Currency[]
export const INT64_MAX = 2n ** 63n - 1n
export const INT64_MIN = -(2n ** 63n)

export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCIES, code)
export const describeCurrency = (code: Currency) => ({ code, ...CURRENCIES[code] })

export function money(minor: bigint, currency: Currency): Money {
  assert(minor >= INT64_MIN && minor <= INT64_MAX, 'money fits 64 bits')
  return { minor, currency }
}

export const zero = (currency: Currency): Money => money(0n, currency)
export const ngn = (minor: bigint): Money => money(minor, 'NGN')

export const add = (a: Money, b: Money): Money => money(a.minor + same(a, b).minor, a.currency)
export const subtract = (a: Money, b: Money): Money => money(a.minor - same(a, b).minor, a.currency)
export const min = (a: Money, b: Money): Money => (a.minor <= same(a, b).minor ? a : b)
export const equal = (a: Money, b: Money): boolean => a.currency === b.currency && a.minor === b.minor
export const atLeast = (a: Money, b: Money): boolean => a.minor >= same(a, b).minor
export const isZero = (a: Money): boolean => a.minor === 0n
export const isPositive = (a: Money): boolean => a.minor > 0n

/** `amount × numerator ÷ denominator`, rounded up in our favour. The only place that rounds up. */
export function scaleUp(amount: Money, numerator: bigint, denominator: bigint): Money {
  assert(denominator > 0n && numerator >= 0n && amount.minor >= 0n, 'only prices are rounded up')
  return money((amount.minor * numerator + denominator - 1n) / denominator, amount.currency)
}

/** `amount × numerator ÷ denominator`, rounded half up. The only place that rounds to the nearest unit. */
export function scaleHalfUp(amount: Money, numerator: bigint, denominator: bigint): Money {
  return money(scaleSumHalfUp(amount.minor, numerator, denominator), amount.currency)
}

/** The same for statistics, whose sums may exceed 64 bits. */
export function scaleSumHalfUp(minor: bigint, numerator: bigint, denominator: bigint): bigint {
  assert(denominator > 0n && numerator >= 0n && minor >= 0n, 'only shares are rounded half up')
  return (2n * minor * numerator + denominator) / (2n * denominator)
}

/**
 * Converts major units as a user writes them (1500.5) to minor units, exactly. Null when the number is negative, too large
 * or finer than the minor unit of the currency.
 */
export function fromMajor(major: number | string, currency: Currency): Money | null {
  const match = /^(\d{1,16})(?:\.(\d+))?$/.exec(String(major))
  if (!match) return null
  const digits = String(CURRENCIES[currency].minorUnit).length - 1
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > digits) return null
  return money(BigInt((match[1] ?? '') + fraction.padEnd(digits, '0')), currency)
}

/** Formats for display: "₦1,500.50". */
export function format(amount: Money): string {
  const { symbol, minorUnit } = CURRENCIES[amount.currency]
  const digits = String(minorUnit).length - 1
  const sign = amount.minor < 0n ? '-' : ''
  const text = (amount.minor < 0n ? -amount.minor : amount.minor).toString().padStart(digits + 1, '0')
  const whole = digits ? text.slice(0, -digits) : text
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${symbol}${grouped}${digits ? `.${text.slice(-digits)}` : ''}`
}

/** Formats an exact decimal number of minor units: "CFA0.037", "$0.0037". */
export function formatExact(minor: string, currency: Currency): string {
  const { symbol, minorUnit } = CURRENCIES[currency]
  const digits = String(minorUnit).length - 1
  const [whole = '0', fraction = ''] = minor.split('.')
  const text = whole.padStart(digits + 1, '0')
  const major = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',')
  const decimals = `${text.slice(text.length - digits)}${fraction}`
  return `${symbol}${major}${decimals && `.${decimals}`}`
}

function same(a: Money, b: Money): Money {
  assert(a.currency === b.currency, `${a.currency} and ${b.currency} do not mix`)
  return b
}
