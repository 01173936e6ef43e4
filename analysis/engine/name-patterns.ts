// Matches the name patterns of models and rules. The index by last segment keeps a lookup cheap.

import type { AbstractValue } from '../abstract-value.ts'
import type { NamePattern } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'

export type NamedModel = { readonly name: NamePattern | readonly NamePattern[] }

export type NameIndex<T> = {
  readonly byLastSegment: ReadonlyMap<string, readonly IndexEntry<T>[]>
  /** Patterns whose last segment is a prefix. */
  readonly prefixes: readonly IndexEntry<T>[]
}

type IndexEntry<T> = { readonly pattern: Pattern; readonly item: T }

/** `qualifier` is null for any receiver. With `isType` it names a type. */
type Pattern = {
  readonly qualifier: string | null
  readonly last: string
  readonly isType: boolean
  readonly isPrefix: boolean
}

export function indexByName<T extends NamedModel>(items: readonly T[]): NameIndex<T> {
  const byLast = new Map<string, IndexEntry<T>[]>()
  const beginnings: IndexEntry<T>[] = []
  for (const item of items) {
    for (const name of [item.name].flat()) {
      const entry = { pattern: patternOf(name), item }
      if (entry.pattern.isPrefix) beginnings.push(entry)
      else byLast.set(entry.pattern.last, [...(byLast.get(entry.pattern.last) ?? []), entry])
    }
  }
  return { byLastSegment: byLast, prefixes: beginnings }
}

/** All items that match a name. `last` is its last segment. */
export function findMatches<T>(
  { byLastSegment: byLast, prefixes: beginnings }: NameIndex<T>,
  name: string,
  last: string,
  receiver: AbstractValue | null,
): readonly T[] {
  const own = byLast.get(last)
  if (!own && beginnings.length === 0) return NONE
  const found: T[] = []
  if (own)
    for (const { pattern, item } of own) if (matchesPattern(pattern, name, last, receiver)) found.push(item)
  for (const { pattern, item } of beginnings)
    if (matchesPattern(pattern, name, last, receiver)) found.push(item)
  return found
}

const NONE: readonly never[] = []

/** Whether a call matches one of the patterns. */
export function isCall(event: CallEvent, ...patterns: readonly NamePattern[]): boolean {
  const { method } = event
  for (const each of patterns) {
    // The suffix rejects most patterns without parsing them.
    if (!each.endsWith(method) && !each.endsWith('*')) continue
    const pattern = patternCached(each)
    // A rule that needs only the method of a call is called once per method (rule-dispatch.ts).
    if (!matchesLast(pattern, method)) continue
    if (matchesPattern(pattern, event.name, method, event.receiver)) return true
  }
  return false
}

/** Whether a type matches, ignoring unknown packages on either side. */
export function isType(type: string | undefined, wanted: string): boolean {
  return type !== undefined && typeMatches(type, wanted)
}

/** The last segment of a name: `exec` of `child_process.exec`. */
export function lastSegment(name: string): string {
  const at = Math.max(name.lastIndexOf('.'), name.lastIndexOf('#'))
  return at === -1 ? name : name.slice(at + 1)
}

const matchesLast = ({ isPrefix, last: wanted }: Pattern, last: string): boolean =>
  isPrefix ? last.startsWith(wanted) : last === wanted

function matchesPattern(
  pattern: Pattern,
  name: string,
  last: string,
  receiver: AbstractValue | null,
): boolean {
  const { qualifier: holder } = pattern
  if (!matchesLast(pattern, last)) return false
  if (pattern.isType) return holder !== null && receiver !== null && isOfType(receiver, holder)
  if (holder === null) return receiver !== null || name.length > last.length
  if (holder === '') return name === last
  return name.length === holder.length + 1 + last.length && name.startsWith(holder)
}

/** Its type, or a base of its class. */
const isOfType = ({ type, classDefinition: of }: AbstractValue, wanted: string): boolean =>
  (type !== undefined && typeMatches(type, wanted)) ||
  (of?.bases.some((base) => typeMatches(base, wanted)) ?? false)

const patterns = new Map<NamePattern, Pattern>()

function patternCached(name: NamePattern): Pattern {
  const before = patterns.get(name)
  if (before) return before
  const pattern = patternOf(name)
  patterns.set(name, pattern)
  return pattern
}

function patternOf(name: NamePattern): Pattern {
  const hash = name.lastIndexOf('#')
  const at = hash === -1 ? name.lastIndexOf('.') : hash
  const last = name.slice(at + 1)
  const isBeginning = last.length > 1 && last.endsWith('*')
  const holder = at === -1 ? '' : name.slice(0, at)
  return {
    qualifier: holder === '*' ? null : holder,
    last: isBeginning ? last.slice(0, -1) : last,
    isType: hash !== -1,
    isPrefix: isBeginning,
  }
}

function typeMatches(type: string, wanted: string): boolean {
  const own = bareType(type)
  if (own === wanted) return true
  if (own.length > wanted.length)
    return own.endsWith(wanted) && isSeparator(own, own.length - wanted.length - 1)
  // A type without a package may belong to any package.
  return wanted.endsWith(own) && !/[./\\]/.test(own) && isSeparator(wanted, wanted.length - own.length - 1)
}

const isSeparator = (text: string, at: number): boolean => /[./\\]/.test(text[at] ?? '')

/** Removes pointers, type arguments and brackets. */
export const bareType = (type: string): string =>
  /[*&<[?]/.test(type) ? type.replace(/<.*$|^[*&?]+|\[\]/g, '') : type
