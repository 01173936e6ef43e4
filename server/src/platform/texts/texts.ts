// The sentences of the service in four languages. The English sentence is the key; `{name}` stands for a value.

import { format, type Money } from '../../kernel/money.ts'
import { DOCUMENT_LINES, DOCUMENTS } from './documents.ts'
import { FIELDS } from './fields/fields.ts'
import { RULE_FIELDS } from './fields/fields-rules.ts'
import { TOOL_FIELDS } from './fields/fields-tools.ts'
import { WORK_FIELDS } from './fields/fields-work.ts'
import { directionOf, type Language, LOCALES } from './language.ts'
import { LEDGER } from './ledger.ts'
import { ACCOUNT_MAILS } from './mails/account.ts'
import { BILLING_MAILS } from './mails/billing.ts'
import { EMAIL_MAILS } from './mails/email.ts'
import { MONEY_MAILS } from './mails/money.ts'
import { NOTICES } from './notices.ts'
import { PAYMENTS } from './payments.ts'
import { REFUSALS } from './refusals.ts'
import { WORK_REFUSALS } from './refusals-work.ts'
import { RESEARCH } from './research.ts'
import type { Sentences, Translations } from './sentences.ts'

/** Sentences that the code writes in the language of the reader. An unknown one is a compile error. */
export const WRITTEN = { ...LEDGER, ...DOCUMENTS, ...NOTICES, ...RESEARCH }
export type WrittenSentence = keyof typeof WRITTEN

/** Sentences that are written in English first and translated when they are sent. */
export const TRANSLATED: Sentences = {
  ...FIELDS,
  ...WORK_FIELDS,
  ...TOOL_FIELDS,
  ...RULE_FIELDS,
  ...REFUSALS,
  ...WORK_REFUSALS,
  ...PAYMENTS,
  ...DOCUMENT_LINES,
  ...ACCOUNT_MAILS,
  ...EMAIL_MAILS,
  ...MONEY_MAILS,
  ...BILLING_MAILS,
}

type NameIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never
type ValuesOf<Text extends string> =
  NameIn<Text> extends never ? [] : [values: Readonly<Record<NameIn<Text>, string>>]

/** A sentence in a language, with its values. */
export function say<Text extends WrittenSentence>(
  language: Language,
  text: Text,
  ...[values]: ValuesOf<Text>
): string {
  return fill(language, inLanguage(WRITTEN[text], language) ?? text, values ?? {})
}

/** Writes in one language: `const t = writerIn(language)`, then `t('Total paid')`. */
export const writerIn =
  (language: Language): Writer =>
  (text, ...values) =>
    say(language, text, ...values)
export type Writer = <Text extends WrittenSentence>(text: Text, ...values: ValuesOf<Text>) => string

/**
 * The translation of an English sentence that was written elsewhere: thrown as an error, made by a schema, or stored. Null
 * if the catalogue does not contain it, such as a text of a payment provider or of a user.
 */
export function translate(language: Language, sentence: string): string | null {
  if (language === 'en') return sentence
  const exact = Object.hasOwn(TRANSLATED, sentence) ? TRANSLATED[sentence] : undefined
  if (exact) return inLanguage(exact, language)
  if (sentence.length > MATCHED_CHARACTERS_MAX) return null
  for (const pattern of patterns()) {
    const found = match(pattern, sentence)
    if (!found) continue
    const values = pattern.names.map((name, i) => [name, valueIn(language, name, found[i] ?? '')])
    return fill(language, inLanguage(pattern.translations, language), Object.fromEntries(values))
  }
  return null
}

/** The translation, or the English sentence. */
export const translated = (language: Language, sentence: string): string =>
  translate(language, sentence) ?? sentence

/** "₦1,500.50", with the separators of the language and Latin digits. */
export const formatMoney = (language: Language, amount: Money): string =>
  withSeparators(language, format(amount))

/** A number as English writes it, with the separators of the language. Only French has others. */
export const withSeparators = (language: Language, english: string): string =>
  language === 'fr'
    ? english.replace(/(?<=\d)[,.](?=\d)/g, (mark) => (mark === ',' ? '\u202f' : ','))
    : english

const INDEX = { fr: 0, sw: 1, ar: 2 } as const

function inLanguage(translations: Translations, language: Exclude<Language, 'en'>): string
function inLanguage(translations: Translations, language: Language): string | null
function inLanguage(translations: Translations, language: Language): string | null {
  return language === 'en' ? null : translations[INDEX[language]]
}

/** A value keeps its direction in right-to-left text. An address stays as it is, because programs turn it into a link. */
function fill(language: Language, text: string, values: Readonly<Record<string, string>>): string {
  const isIsolated = directionOf(language) === 'rtl'
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : whole
    return isIsolated && !/^https?:/.test(value) && !isSentence(name) ? `\u2068${value}\u2069` : value
  })
}

// The name of a placeholder says what it holds. All others hold names, codes and references, which stay as they are.
const isNumber = (name: string): boolean => /number$/i.test(name)
const isAmount = (name: string): boolean => /amount|number$/i.test(name)
const isSentence = (name: string): boolean => /(sentence|phrase|list)$/i.test(name)

function valueIn(language: Exclude<Language, 'en'>, name: string, english: string): string {
  if (/list$/i.test(name))
    return english
      .split('; ')
      .map((each) => translated(language, each))
      .join('; ')
  if (name === 'longDate') return longDate(language, english)
  const inWords = isSentence(name) ? translate(language, english) : null
  return inWords ?? (isAmount(name) ? withSeparators(language, english) : english)
}

/** "20 November 2026" */
function longDate(language: Language, english: string): string {
  const date = new Date(`${english} UTC`)
  return Number.isNaN(date.getTime())
    ? english
    : new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

const MATCHED_CHARACTERS_MAX = 2_000

type Pattern = {
  /** The text around the values. */
  readonly parts: readonly string[]
  readonly names: readonly string[]
  readonly translations: Translations
}

let known: readonly Pattern[] | undefined

/** The sentences with values. The one with the longest fixed text comes first. Built for the first reader of another language. */
function patterns(): readonly Pattern[] {
  known ??= Object.entries(TRANSLATED)
    .filter(([text]) => /\{\w+\}/.test(text))
    .map(([text, translations]) => {
      const pieces = text.split(/\{(\w+)\}/)
      return {
        parts: pieces.filter((_, i) => i % 2 === 0),
        names: pieces.filter((_, i) => i % 2 === 1),
        translations,
      }
    })
    .sort((a, b) => b.parts.join('').length - a.parts.join('').length)
  return known
}

/** The values of a sentence, in linear time. Null if it is another sentence. */
function match({ parts, names }: Pattern, sentence: string): string[] | null {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return null
  const values: string[] = []
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const next = sentence.indexOf(part, at + 1)
    if (next < 0) return null
    values.push(sentence.slice(at, next))
    at = next + part.length
  }
  const end = sentence.length - last.length
  if (end <= at) return null
  values.push(sentence.slice(at, end))
  return names.every((name, i) => !isNumber(name) || /^-?[\d.,]+$/.test(values[i] ?? '')) ? values : null
}
