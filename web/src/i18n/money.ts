// Formats money. All arithmetic is done by the service.
import type { Currency as Known } from '@cowrie/sdk'
import { locale as readersLocale } from './language.ts'

/** Also accepts currencies that a newer service has added. */
export type Currency = Omit<Known, 'code'> & { code: string }

/** "₦1,500.50", with the separators of the user's region and the symbol of the wallet. */
export function formatMoney(minor: bigint, currency: Currency, locale = readersLocale()): string {
  const { symbol } = currency
  const digits = decimalsOf(currency)
  const exact = plainAmount(minor < 0n ? -minor : minor, currency)
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    numberingSystem: 'latn',
  })
  // A decimal string is formatted exactly; a number would lose digits beyond 2^53.
  const amount = number.format(exact as Intl.StringNumericLiteral)
  return `${minor < 0n ? '−' : ''}${symbol}${/[A-Za-z]$/.test(symbol) ? '\u00a0' : ''}${amount}`
}

/** "1500.50": an amount of zero or more as typed. */
export function plainAmount(minor: bigint, currency: Currency): string {
  const digits = decimalsOf(currency)
  const text = minor.toString().padStart(digits + 1, '0')
  return digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text
}

/** The number of digits after the decimal mark. */
export const decimalsOf = ({ minorUnit }: Pick<Currency, 'minorUnit'>): number => String(minorUnit).length - 1

/** "Nigerian Naira", where the browser knows the name. */
export function currencyName({ code }: Pick<Currency, 'code'>, locale = readersLocale()): string {
  return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code
}
