// Names as models and rules write them, found by their last part so that a call costs one look.

import type { AbstractValue } from '../abstract-value.ts'
import type { NamePattern } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'

export type NamedModel = { readonly name: NamePattern | readonly NamePattern[] }

export type NameIndex<T> = {
  /** By the last part of the name. */
  readonly byLastSegment: ReadonlyMap<string, readonly IndexEntry<T>[]>
  /** Those whose last part is a beginning. */
  readonly prefixes: readonly IndexEntry<T>[]
}

type IndexEntry<T> = { readonly pattern: Pattern; readonly item: T }

/** `holder` null: any. `isType`: the holder is a type. */
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

/** Everything a name matches; `last` is its last part. */
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

/** Whether a call is one of these. */
export function isCall({ name, method, receiver }: CallEvent, ...patterns: readonly NamePattern[]): boolean {
  for (const each of patterns) {
    // Most patterns are told apart by how they end, without a look into the index.
    if (!each.endsWith(method) && !each.endsWith('*')) continue
    if (matchesPattern(patternCached(each), name, method, receiver)) return true
  }
  return false
}

/** Whether a type is this one, whatever package is written before either. */
export function isType(type: string | undefined, wanted: string): boolean {
  return type !== undefined && typeMatches(type, wanted)
}

/** The last part of a name: `exec` of `child_process.exec`. */
export function lastSegment(name: string): string {
  const at = Math.max(name.lastIndexOf('.'), name.lastIndexOf('#'))
  return at === -1 ? name : name.slice(at + 1)
}

function matchesPattern(
  pattern: Pattern,
  name: string,
  last: string,
  receiver: AbstractValue | null,
): boolean {
  const { qualifier: holder, isPrefix: isBeginning } = pattern
  if (isBeginning ? !last.startsWith(pattern.last) : last !== pattern.last) return false
  if (pattern.isType) return holder !== null && receiver !== null && isOfType(receiver, holder)
  if (holder === null) return receiver !== null || name.length > last.length
  if (holder === '') return name === last
  return name.length === holder.length + 1 + last.length && name.startsWith(holder)
}

/** Its own type, or one that its class is made from. */
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
  // A type whose package nobody knows may be the one of that name.
  return wanted.endsWith(own) && !/[./\\]/.test(own) && isSeparator(wanted, wanted.length - own.length - 1)
}

const isSeparator = (text: string, at: number): boolean => /[./\\]/.test(text[at] ?? '')

/** Without pointers, type arguments and brackets. */
export const bareType = (type: string): string =>
  /[*&<[?]/.test(type) ? type.replace(/<.*$|^[*&?]+|\[\]/g, '') : type
