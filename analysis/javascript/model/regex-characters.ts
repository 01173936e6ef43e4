// Derives the sinks a string is sanitized for from the characters a regular expression allows.
import { type AST, RegExpParser } from '@eslint-community/regexpp'
import type { AbstractValue, SinkKind } from '../../abstract-value.ts'

/**
 * The sinks after the whole string matched, as with `^[a-z0-9-]+$`. Empty for a pattern that is not
 * anchored.
 */
export function sinksExcludedByMatch(source: string, flags: string): readonly SinkKind[] {
  const key = `${flags}/${source}`
  const before = matchCache.get(key)
  if (before) return before
  if (matchCache.size >= MATCH_CACHE_MAX) matchCache.clear()
  const cleanings = computeMatch(source, flags)
  matchCache.set(key, cleanings)
  return cleanings
}

/** Guards query the same pattern once per sink. */
const matchCache = new Map<string, readonly SinkKind[]>()
const MATCH_CACHE_MAX = 200

function computeMatch(source: string, flags: string): readonly SinkKind[] {
  const pattern = parseRegex(source, flags)
  if (!pattern || flags.includes('m')) return []
  const allowed = new Set<number>()
  const isOwnPath = pattern.alternatives.every(
    ({ elements: [start, ...rest] }) =>
      start?.type === 'Assertion' && start.kind === 'start' && startsLocalPath(rest),
  )
  for (const { elements } of pattern.alternatives) {
    const [first, last] = [elements[0], elements.at(-1)]
    const isWhole =
      first?.type === 'Assertion' &&
      first.kind === 'start' &&
      last?.type === 'Assertion' &&
      last.kind === 'end'
    if (!isWhole || !elements.every((element) => addCharacters(element, allowed, 0)))
      return isOwnPath ? ['redirect'] : []
  }
  return isOwnPath ? [...sinksExcludedBy(allowed), 'redirect'] : sinksExcludedBy(allowed)
}

/** The sinks for each captured group, from the characters the group allows. */
export function sinksExcludedByCaptures(source: string, flags: string): readonly (readonly SinkKind[])[] {
  const key = `${flags}/${source}`
  const before = captureCache.get(key)
  if (before) return before
  if (captureCache.size >= MATCH_CACHE_MAX) captureCache.clear()
  const sinks = computeCaptures(source, flags)
  captureCache.set(key, sinks)
  return sinks
}

const captureCache = new Map<string, readonly (readonly SinkKind[])[]>()

function computeCaptures(source: string, flags: string): readonly (readonly SinkKind[])[] {
  const pattern = parseRegex(source, flags)
  if (!pattern) return []
  return groupsIn(pattern.alternatives).map((group) => {
    const allowed = new Set<number>()
    return addCharacters(group, allowed, 0) ? sinksExcludedBy(allowed) : []
  })
}

/** In the order of their numbers. */
function groupsIn(alternatives: readonly AST.Alternative[]): AST.CapturingGroup[] {
  const visit = (element: AST.Element): AST.CapturingGroup[] => {
    if (element.type === 'Quantifier') return visit(element.element)
    if (element.type === 'CapturingGroup') return [element, ...groupsIn(element.alternatives)]
    const isNested = element.type === 'Group' || (element.type === 'Assertion' && 'alternatives' in element)
    return isNested ? groupsIn(element.alternatives) : []
  }
  return alternatives.flatMap(({ elements }) => elements.flatMap(visit))
}

/** The sinks after all matches were removed: `x.replace(/[^a-z]/g, '')`. */
export function sinksExcludedByRemoval(source: string, flags: string): readonly SinkKind[] {
  const pattern = parseRegex(source, flags)
  const [only] = pattern?.alternatives ?? []
  if (
    !pattern ||
    !only ||
    pattern.alternatives.length > 1 ||
    only.elements.length !== 1 ||
    !flags.includes('g')
  )
    return []
  const removed = new Set<number>()
  const [element] = only.elements
  const inner = element?.type === 'Quantifier' ? element.element : element
  if (!inner || isSequence(inner) || !addCharacters(inner, removed, 0)) return []
  return sinksExcludedBy(new Set(ASCII.filter((code) => !removed.has(code))))
}

/** Removing `../` leaves single dots and slashes. */
const isSequence = (element: AST.Element): boolean =>
  (element.type === 'Group' || element.type === 'CapturingGroup') &&
  element.alternatives.some(({ elements }) => elements.length !== 1)

/** `/` followed by something other than `/` or `\`: a path on the same site. */
function startsLocalPath([first, second]: readonly AST.Element[]): boolean {
  if (first?.type !== 'Character' || first.value !== SLASH || !second) return false
  if (second.type === 'Assertion') return rejectsSlash(second)
  const next = new Set<number>()
  return addCharacters(second, next, 0) && !next.has(SLASH) && !next.has(BACKSLASH)
}

/** `(?!\/)` or `(?![\/\\])`. */
function rejectsSlash(assertion: AST.Assertion): boolean {
  if (assertion.kind !== 'lookahead' || !assertion.negate) return false
  return assertion.alternatives.some(({ elements: [first] }) => {
    const rejected = new Set<number>()
    return first !== undefined && addCharacters(first, rejected, 0) && rejected.has(SLASH)
  })
}

const SLASH = 47
const BACKSLASH = 92

/** The source and flags of a regular expression literal or `RegExp` object. */
export function regexOf(
  value: AbstractValue | null | undefined,
): { source: string; flags: string } | undefined {
  if (value?.type !== 'regex') return undefined
  const [source, flags] = [value.fields?.get('source')?.known, value.fields?.get('flags')?.known]
  return typeof source === 'string' && typeof flags === 'string' ? { source, flags } : undefined
}

export function parseRegex(source: string, flags: string): AST.Pattern | undefined {
  try {
    const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
    return new RegExpParser({ strict: false, ecmaVersion: 2025 }).parsePattern(
      source,
      0,
      source.length,
      modes,
    )
  } catch {
    // Not a valid pattern.
    return undefined
  }
}

const ASCII = Array.from({ length: 128 }, (_, code) => code)

const SPECIAL: ReadonlyMap<SinkKind, string> = new Map<SinkKind, string>([
  ['html', '<>"\'&'],
  ['shell', '`$&|;<>()\n\r\'"\\ *?[]{}!#~%^'],
  ['sql', '\'"`;()\\ \t\n,'],
  ['redirect', '/\\:'],
  ['url', '/\\:@?#.'],
  ['code', '\'"`;()[]{}\\$.+-*/=,\n\r'],
  ['header', '\r\n'],
  ['regex', '*+({['],
  ['ldap', '*()\\\0'],
  ['xpath', '\'"'],
  ['key', '_'],
])

function sinksExcludedBy(allowed: ReadonlySet<number>): readonly SinkKind[] {
  const has = (text: string) => [...text].some((character) => allowed.has(character.charCodeAt(0)))
  const found: SinkKind[] = [...SPECIAL].flatMap(([cleaning, text]) => (has(text) ? [] : [cleaning]))
  if (!has('.') || !has('/\\')) found.push('path')
  return found
}

/** Adds the characters of an element. False if it can match anything. */
function addCharacters(element: AST.Element, allowed: Set<number>, depth: number): boolean {
  if (depth > DEPTH_MAX) return false
  switch (element.type) {
    case 'Assertion':
      return true
    case 'Character':
      allowed.add(element.value)
      return true
    case 'CharacterClass':
      return addClass(element, allowed)
    case 'CharacterSet':
      return addSet(element, allowed)
    case 'Quantifier':
      return addCharacters(element.element, allowed, depth + 1)
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.every(({ elements }) =>
        elements.every((each) => addCharacters(each, allowed, depth + 1)),
      )
    default:
      return false
  }
}

const DEPTH_MAX = 20

function addClass(element: AST.CharacterClass, allowed: Set<number>): boolean {
  const own = new Set<number>()
  for (const part of element.elements) {
    if (part.type === 'Character') own.add(part.value)
    else if (part.type === 'CharacterClassRange')
      for (const code of ASCII) if (code >= part.min.value && code <= part.max.value) own.add(code)
    if (part.type === 'CharacterSet' && !addSet(part, own)) return false
  }
  for (const code of ASCII) if (own.has(code) !== element.negate) allowed.add(code)
  return true
}

function addSet(element: AST.CharacterSet, allowed: Set<number>): boolean {
  if (element.kind === 'property') return true
  if (element.kind === 'any') {
    for (const code of ASCII) if (code !== 10 && code !== 13) allowed.add(code)
    return true
  }
  const test = KINDS[element.kind]
  if (!test) return false
  for (const code of ASCII) if (test.test(String.fromCharCode(code)) !== element.negate) allowed.add(code)
  return true
}

const KINDS: Readonly<Record<string, RegExp>> = { digit: /\d/, space: /\s/, word: /\w/ }
