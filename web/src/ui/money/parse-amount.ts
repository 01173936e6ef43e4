// Parses typed amounts exactly: digits become minor units, never a floating-point number.

import { type Currency, decimalsOf, formatMoney, plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'

/** `error` continues the sentence "This …", like the messages of the service. */
export type Amount = { minor: bigint } | { error: string }

const WHOLE_DIGITS_MAX = 15
const GROUPED_BY_SPACE = /^\d{1,3}([\s'’]\d{3})+(?=$|[.,])/

/** Comma and point may both be the decimal mark. Ambiguous input is rejected with both readings spelled out. */
export function parseAmount(typed: string, currency: Currency): Amount {
  const decimals = decimalsOf(currency)
  const unreadable = {
    error: t('must be a number such as {example}', { example: plainAmount(150_000n, currency) }),
  }
  const text = bare(typed, currency)
  if (!/^\d[\d.,]*$/.test(text) || /[.,]$/.test(text)) return unreadable
  const parts = split(text)
  if (!parts) return unreadable
  const [whole, fraction] = parts
  if (isTwofold(text) && decimals > 0) {
    const joined = whole + fraction
    return {
      error: t('is ambiguous; write {whole} or {exact}', {
        whole: joined,
        exact: `${joined}.${'0'.repeat(decimals)}`,
      }),
    }
  }
  if (isTwofold(text)) return within(whole + fraction, '', decimals)
  return within(whole, fraction, decimals)
}

type Range = { minMinor: bigint; maxMinor: bigint; stepMinor: bigint; label: string }

/** Why this amount cannot be paid this way; null if it can. */
export function amountProblem(
  minor: bigint,
  { minMinor, maxMinor, stepMinor, label }: Range,
  currency: Currency,
): string | null {
  const values = (limit: bigint) => ({ amount: formatMoney(limit, currency), channel: label })
  if (minor < minMinor) return t('must be at least {amount} with {channel}', values(minMinor))
  if (minor > maxMinor) return t('must be at most {amount} with {channel}', values(maxMinor))
  if (minor % stepMinor !== 0n) return t('must be a multiple of {amount} with {channel}', values(stepMinor))
  return null
}

function within(whole: string, fraction: string, decimals: number): Amount {
  if (fraction.length > decimals) return { error: tooFine(decimals) }
  if (whole.length > WHOLE_DIGITS_MAX) return { error: t('is too large') }
  return { minor: BigInt(whole + fraction.padEnd(decimals, '0')) }
}

const tooFine = (decimals: number): string =>
  decimals === 0
    ? t('must be a whole number in this currency')
    : t('must have at most {n} digits after the decimal mark', { n: decimals })

/** Converts Arabic and Persian digits and separators, and removes direction marks. */
const latin = (typed: string): string =>
  typed
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .replaceAll(/[\u200e\u200f\u061c]/g, '')

/** Removes the currency symbol and the spaces between groups of three digits. */
function bare(typed: string, { symbol, code }: Currency): string {
  const text = latin(typed).trim()
  const sign = [symbol, code].find((each) => text.toUpperCase().startsWith(each.toUpperCase()))
  const number = text.slice(sign?.length ?? 0).trim()
  return number.replace(GROUPED_BY_SPACE, (groups) => groups.replaceAll(/[\s'’]/g, ''))
}

/** "1,234" can be read in two ways. */
const isTwofold = (text: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)

/** The digits before and after the decimal mark; null where the marks make no number. */
function split(text: string): [whole: string, fraction: string] | null {
  const marks = text.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return [text, '']
  const isAllGroups = marks.length > 1 && marks.every((mark) => mark === last)
  if (isAllGroups) return isGrouped(text, last) ? [text.replaceAll(last, ''), ''] : null
  const at = text.lastIndexOf(last)
  const [whole, fraction] = [text.slice(0, at), text.slice(at + 1)]
  if (marks.length === 1) return [whole, fraction]
  const group = last === '.' ? ',' : '.'
  return isGrouped(whole, group) ? [whole.replaceAll(group, ''), fraction] : null
}

const isGrouped = (text: string, mark: string): boolean =>
  text.split(mark).every((group, index) => (index === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group))
