// The subject and range of the overview.
import { locale } from '../../../i18n/language.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { currencyOf } from '../../../ui/money/currencies.ts'

export type Subject = { scope: 'all' } | { orgId: string }
export type View = {
  subject: Subject
  /** The cache key. */
  name: string
  days: number
}

export const money = (minor: bigint, code: string): string => formatMoney(minor, currencyOf(code))
export const figure = (value: number): string => new Intl.NumberFormat(locale()).format(value)
/** "1.2M" for charts; the table has the exact value. */
export const short = (value: number): string =>
  new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }).format(value)
