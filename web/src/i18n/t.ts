// Translation. The English text is the key; missing translations show English.
import { signal } from '@preact/signals'
import { language, locale } from './language.ts'
import { directionOf } from './stored-language.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>>
export type Dictionary = Readonly<Record<string, string | Forms>>
export type Values = Readonly<Record<string, string | number | bigint>>

/** Every translation loaded so far. */
const translations = signal<Dictionary>({})

export function addTranslations(words: Dictionary, { replace = false } = {}): void {
  translations.value = replace ? words : { ...translations.peek(), ...words }
}

/** `t('Pay until {time}.', { time })`. Only with a literal, or with a text marked by `msg`. */
export function t(text: string, values: Values = {}): string {
  const said = translations.value[text]
  return fill(typeof said === 'string' ? said : text, values)
}

/** `tn(files, '{n} file', '{n} files')`: plural forms by the rules of the language, which may have six. */
export function tn(n: number | bigint, one: string, other: string, values: Values = {}): string {
  const said = translations.value[other]
  const forms: Forms = typeof said === 'object' ? said : { one, other }
  const rule = new Intl.PluralRules(typeof said === 'object' ? language.value : 'en').select(Number(n))
  return fill(forms[rule] ?? forms.other ?? other, {
    n: new Intl.NumberFormat(locale()).format(n),
    ...values,
  })
}

/** Marks a text for translation that is shown later, such as one in a table: `t(ROLES[role])`. */
export const msg = (text: string): string => text

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? isolate(String(values[name])) : whole,
  )

/** Isolates values such as amounts and addresses in right-to-left text. */
export const isolate = (value: string): string =>
  directionOf(language.value) === 'rtl' ? `\u2068${value}\u2069` : value
