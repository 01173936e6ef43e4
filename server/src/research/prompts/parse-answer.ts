// Parses answers of models. They reason aloud, wrap lists in prose, misname fields and get cut off.
import { findJsonValues, stripReasoning } from '../../platform/inference/completion/json-values.ts'

/** Longer than any answer. The end of an answer is what counts. */
const CHARACTERS_MAX = 60_000

/** Removes reasoning. An unfinished reasoning block is removed up to the end. */
export function withoutReasoning(text: string): string {
  const spoken = stripReasoning(text.slice(-CHARACTERS_MAX))
  const unended = spoken.search(/<(?:think|thinking|reasoning)>/i)
  return unended === -1 ? spoken : spoken.slice(0, unended)
}

/** Reads one list item; null if its shape is wrong. `isNamed`: the list had one of the requested names. */
export type ItemReader<T> = (value: unknown, isNamed: boolean) => T | null

/**
 * The items of the last non-empty list, named or bare; from a cut answer, the complete items. An empty list is a
 * valid answer. Null if there is no list and no item.
 */
export function parseItems<T>(text: string, names: readonly string[], itemOf: ItemReader<T>): T[] | null {
  const spoken = withoutReasoning(text)
  const values = findJsonValues(spoken)
  const lists = values.map((value) => findList(value, names))
  const read = lists.map((list) => (list ? readItems(list.items, itemOf, list.isNamed) : []))
  const whole = read.findLast((items) => items.length > 0)
  if (whole) return whole
  const loose = readItems(values, itemOf, false)
  if (loose.length > 0) return loose
  const isEmpty = lists.some((list) => list?.isNamed && list.items.length === 0)
  return isEmpty || /^\s*(?:```(?:json)?\s*)?\[\s*\]/.test(spoken) ? [] : null
}

function readItems<T>(values: readonly unknown[], itemOf: ItemReader<T>, isNamed: boolean): T[] {
  return values.flatMap((value) => itemOf(value, isNamed) ?? [])
}

type ParsedList = { readonly items: readonly unknown[]; readonly isNamed: boolean }

/** Models wrap answers in another object, or rename the list. */
function findList(value: unknown, names: readonly string[]): ParsedList | null {
  if (Array.isArray(value)) return { items: value, isNamed: false }
  if (!isRecord(value)) return null
  const inner = Object.values(value).slice(0, FIELDS_MAX)
  const named = [value, ...inner].map((each) => readField(each, names)).find(isPresent)
  if (named !== undefined) return { items: [named].flat(), isNamed: true }
  const bare = inner.find(Array.isArray)
  return bare ? { items: bare, isNamed: false } : null
}

const FIELDS_MAX = 20
const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** The first of the names that exists, in any spelling: `subQuestion`, `sub_question`, `Sub-question`. */
export function readField(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return undefined
  const fields = new Map(Object.entries(value).map(([name, field]) => [toFieldKey(name), field]))
  return names.map((name) => fields.get(name)).find((field) => field !== undefined)
}

const toFieldKey = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** A whole number, also inside text: `2`, `"2"`, `"page 2"`, `"[2]"`. */
export function parseWholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(/\d{1,6}/.exec(value)?.[0] ?? 'none') : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** Two questions or queries with the same key are equal. */
export const toComparisonKey = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')

/** Removes items with the same key as an earlier one. */
export function withoutDuplicates<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  seen: Set<string> = new Set(),
): T[] {
  return items.filter((item) => {
    const key = toComparisonKey(textOf(item))
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
