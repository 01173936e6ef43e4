// Whom the figures of the overview are about, and of which days.
import { locale } from '../../../i18n/language.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { currencyOf } from '../../../ui/money/currencies.ts'

export type Subject = { scope: 'all' } | { orgId: string }
export type View = {
  subject: Subject
  /** Says it to what is kept of earlier answers. */
  name: string
  days: number
}

export const money = (minor: bigint, code: string): string => formatMoney(minor, currencyOf(code))
export const figure = (value: number): string => new Intl.NumberFormat(locale()).format(value)
/** "1.2M": beside a picture, where the exact one is in the table. */
export const short = (value: number): string =>
  new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }).format(value)
