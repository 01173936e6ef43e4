// Amounts, counts and names in the language and country of the visitor.
import { type Html, html } from '../../kernel/html.ts'
import { type Currency, describeCurrency } from '../../kernel/money.ts'
import type { Visitor } from '../facts/visitor.ts'

type Reader = Pick<Visitor, 'language' | 'country'>

const localeOf = ({ language, country }: Reader): string => `${language}-${country}-u-nu-latn`

/** "₦1,500.50": the separators of the country, the symbol of the wallet. As the app formats it. */
export function formatAmount(reader: Reader, minor: bigint, currency: Currency): string {
  const { symbol, minorUnit } = describeCurrency(currency)
  const digits = String(minorUnit).length - 1
  const text = minor.toString().padStart(digits + 1, '0')
  const exact = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text
  const number = new Intl.NumberFormat(localeOf(reader), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const amount = number.format(exact as Intl.StringNumericLiteral)
  return `${symbol}${/[A-Za-z]$/.test(symbol) ? '\u00a0' : ''}${amount}`
}

/** An amount that keeps its order inside right-to-left text. */
export const amount = (reader: Reader, minor: bigint, currency: Currency): Html =>
  html`<bdi dir="ltr">${formatAmount(reader, minor, currency)}</bdi>`

export const formatCount = (reader: Reader, count: number): string =>
  new Intl.NumberFormat(localeOf(reader)).format(count)

export const countryName = ({ language }: Reader, country: string): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country

export const currencyName = ({ language }: Reader, currency: Currency): string =>
  new Intl.DisplayNames(language, { type: 'currency' }).of(currency) ?? currency

export const formatDay = (reader: Reader, day: Date): string =>
  new Intl.DateTimeFormat(localeOf(reader), { dateStyle: 'long', timeZone: 'UTC' }).format(day)

/** "14:05:10", in UTC. */
export const formatTime = (at: Date): string => at.toISOString().slice(11, 19)
