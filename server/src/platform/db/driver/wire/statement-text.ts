// Statement texts. A tagged template has the same strings array on every call, so its text and forms are cached.
import type { Parameter } from './parameters.ts'

/** A text with its parameter types: the unit that a server prepares. Equal forms are the same object. */
export type StatementForm = {
  readonly text: string
  readonly signature: string
  /** Whether it sets the statement timeout of its transaction. */
  readonly setsTimeout: boolean
}

type Text = { readonly text: string; readonly forms: Map<string, StatementForm> }

/** The source has about two thousand texts. The limit bounds texts that are built at run time. */
const TEXTS_MAX = 5_000

const byTemplate = new WeakMap<TemplateStringsArray, Text>()
const byText = new Map<string, Text>()

export function formOf(template: TemplateStringsArray, signature: string): StatementForm {
  const { text, forms } = byTemplate.get(template) ?? cacheText(template)
  const known = forms.get(signature)
  if (known) return known
  const form = newForm(text, signature)
  forms.set(signature, form)
  return form
}

/** A form that is used once. */
export const newForm = (text: string, signature: string): StatementForm => ({
  text,
  signature,
  setsTimeout: SET_TIMEOUT.test(text),
})

function cacheText(template: TemplateStringsArray): Text {
  const text = template.reduce((sofar, part, n) => (n === 0 ? part : `${sofar}$${n}${part}`), '')
  const found = byText.get(text) ?? { text, forms: new Map() }
  if (byText.size >= TEXTS_MAX) byText.clear()
  byText.set(text, found)
  byTemplate.set(template, found)
  return found
}

/** The statement timeout in milliseconds that a statement sets; zero means no timeout. */
export function timeoutSetBy({ text }: StatementForm, values: readonly Parameter[]): number | undefined {
  const [, literal, parameter] = SET_TIMEOUT.exec(text) ?? []
  const value = parameter ? values[Number(parameter) - 1] : literal
  return typeof value === 'string' ? durationMs(value) : undefined
}

/** Parses a duration in the syntax of the server; undefined when it has another form. */
export function durationMs(text: string): number | undefined {
  const [, digits, unit = 'ms'] = DURATION.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS_MS[unit] ?? 1)
}

const SET_TIMEOUT = /set_config\('statement_timeout', (?:'(\w+)'|\$(\d+))/
const DURATION = /^(\d+)(ms|s|min|h)?$/
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 }
