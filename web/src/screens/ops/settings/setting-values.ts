// Formats, positions and parses the values of settings.
import type { AdminSettingsListReply } from '@cowrie/sdk'
import { locale } from '../../../i18n/language.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { msg, t } from '../../../i18n/t.ts'
import { currencyOf } from '../../../ui/money/currencies.ts'

export type Setting = AdminSettingsListReply['settings'][number]
export type Value = Setting['value']
type Bounds = { min?: number | undefined; max?: number | undefined }

const UNITS: Readonly<Record<NonNullable<Setting['unit']>, string>> = {
  minor: msg('{n} minor units'),
  ms: msg('{n} milliseconds'),
  mb: msg('{n} megabytes'),
  pct: msg('{n} percent'),
  count: '{n}',
}

const figure = (value: number): string => new Intl.NumberFormat(locale()).format(value)

/** "25 percent", "On", "Kente". Secrets stay masked as the service sends them. */
export function valueText({ key, options, unit }: Setting, value: Value): string {
  if (typeof value === 'boolean') return value ? t('On') : t('Off')
  if (typeof value === 'string')
    return value === '' ? t('empty') : (options?.find((option) => option.value === value)?.label ?? value)
  // These prices are in kobo, whatever currency customers use.
  if (key.includes('_kobo_')) return formatMoney(BigInt(value), currencyOf('NGN'))
  return t(UNITS[unit ?? 'count'], { n: figure(value) })
}

export const rangeText = ({ min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds): string =>
  t('From {min} to {max}.', { min: figure(min), max: figure(max) })

export function readNumber(text: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds): number | null {
  const plain = text.trim()
  if (!/^-?\d{1,15}$/.test(plain)) return null
  const value = Number(plain)
  return value >= min && value <= max ? value : null
}

const WIDE = 1_000

/** The position of a value in its range, 0 to 1. Wide ranges are logarithmic. */
export function positionOf(value: number, { min = 0, max = 1 }: Bounds): number {
  if (max <= min) return 0
  const at = Math.min(Math.max(value, min), max) - min
  return max - min > WIDE ? Math.log1p(at) / Math.log1p(max - min) : at / (max - min)
}

/** Whether a setting matches the search. */
export function matches({ key, label, description }: Setting, words: string): boolean {
  const text = `${key} ${label} ${description}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
