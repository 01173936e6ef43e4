// Reads the literals of program text in any language: strings and numbers, with how much each says about its origin.
import { extensionOf } from '../test-files.ts'

export type Literal = {
  /** Equal for equal values, whatever the quotes, the separators, the sign and the type. */
  readonly key: string
  readonly start: number
  readonly end: number
}

const STRING = String.raw`'(?:[^'\\\n]|\\.){0,400}'|"(?:[^"\\\n]|\\.){0,400}"|\`[^\`$\\\n]{0,400}\``
const NUMBER = String.raw`(?<![\w.$])\d[\d_]{0,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?[nLlfFdDu]?(?![\w.]*\w)`
/** A template has parts that differ, so it is no value. */
const TEMPLATE = /^(?:f|F|rf|fr)['"]|\$\{|^['"`][^'"`]*%[sdvq]/
const LITERAL = new RegExp(`(?:(?<![\\w])[bBrRuUfF]{1,2})?(?:${STRING})|${NUMBER}`, 'g')

export function readLiterals(line: string): Literal[] {
  return [...line.matchAll(LITERAL)].flatMap(({ 0: text, index }) =>
    TEMPLATE.test(text) ? [] : [{ key: keyOf(text), start: index, end: index + text.length }],
  )
}

const keyOf = (text: string): string => {
  const quoted = /^[bBrRuU]{0,2}(['"`])([\s\S]*)\1$/.exec(text)
  if (quoted !== null) return `"${quoted[2]}`
  const digits = text.replace(/_/g, '').replace(/[nLlfFdDu]$/, '')
  return `#${digits.length > 15 ? digits : Number(digits)}`
}

/** The value as the program and the tests write it. */
export const textOf = (key: string): string => key.slice(1)

/**
 * `plain` values are everywhere. `word` values are names of a domain, `phrase` values may be, and `number` values are limits
 * and sizes: programs compare with them. `data` values are those that only a certain input has.
 */
export type ValueKind = 'plain' | 'word' | 'phrase' | 'number' | 'data'

export function kindOf(key: string): ValueKind {
  const text = textOf(key)
  return key.startsWith('#') ? kindOfNumber(text) : kindOfString(text)
}

const USUAL_NUMBERS = new Set('180 360 365 366 443 1440 1900 1970 3600 8080 86400 604800'.split(' '))
/** Parts of dates and times, status codes, round numbers. */
const ROUND_NUMBER = /^(?:[1-9]0*|9+|[1-5]\d\d|[2-9]?[05]|1[4-9]|2\d|3[01])$/

function kindOfNumber(text: string): ValueKind {
  const value = Number(text)
  if (!Number.isInteger(value)) return value === 0.5 ? 'number' : 'data'
  if (value <= 1) return 'plain'
  const isUsual = value <= 13 || ROUND_NUMBER.test(text) || USUAL_NUMBERS.has(text) || isSize(value)
  return isUsual ? 'number' : 'data'
}

/** Limits of integers and sizes in bytes: a power of two, three of them, or one less or more. */
const isSize = (value: number): boolean =>
  [value - 1, value, value + 1, value / 3].some((each) => Number.isInteger(Math.log2(each)))

/** Names may have a few digits. */
const NAME = /^[-.#@]{0,2}[A-Za-z][\w.+/-]*$/
const USUAL_STRING = /^(?:\d{1,4}|\d\.\d|v?\d\.[01x]|127\.0\.0\.1|::1|\d0?:00|24:00)$/i
const NO_WORD = /[\p{L}\p{N}][^\p{L}\p{N}]*[?=()<>|^,;][^\p{L}\p{N}]*[\p{L}\p{N}]/u
const MARKUP = /^(?:&\w+;|<[^<>]*>)$/

function kindOfString(text: string): ValueKind {
  const plain = text.replace(/\\(?:u\{?[\da-fA-F]{4,6}\}?|x[\da-fA-F]{2}|.)/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(plain) || isNothing(plain)) return 'plain'
  if (NO_WORD.test(plain) && !MARKUP.test(plain)) return 'data'
  if (!/[\s\d]/.test(plain) || USUAL_STRING.test(plain) || isName(plain)) return 'word'
  return /^\p{L}+(?:[ -]\p{L}+){1,2}$/u.test(plain) ? 'phrase' : 'data'
}

const NAME_DIGITS_MAX = 5
const isName = (text: string): boolean => NAME.test(text) && text.replace(/\D/g, '').length <= NAME_DIGITS_MAX

/** Zero in some form: `0.00`, `0 B`, `₦0.00`. */
const isNothing = (text: string): boolean =>
  /\d/.test(text) && !/[1-9]/.test(text) && text.replace(/\P{L}/gu, '').length <= 3

/** One letter is no name of a domain. */
export const isLetter = (key: string): boolean => /^"[A-Za-z]$/.test(key)

export const isStatus = (key: string): boolean => /^#[1-5]\d\d$/.test(key)

/** Algorithms often begin with these. */
export const isSmall = (key: string): boolean => key === '#2' || key === '#3'

/** A sentence is a text of the program. */
export const isProse = (key: string): boolean => key.split(/\s+/).length > 5

/** Literals in brackets, without the names of fields and constructors: `#2026;#4;#30;`. Null if there is anything else. */
export function readGroup(text: string, at: number): { readonly inner: string; readonly end: number } | null {
  const end = findEnd(text, at)
  if (end === -1) return null
  const group = text.slice(at, end)
  const literals = readLiterals(group)
  let rest = group
  for (const { start, end: until } of literals.toReversed())
    rest = `${rest.slice(0, start)}0${rest.slice(until)}`
  if (
    !/^(?:[\s,()[\]{}0-]|[A-Za-z_][\w.]*\s*(?:[:=(]|[\w[\]<>*.]*\{)|0\s*:|\[\]\w+|true|false|null|None|nil)*$/.test(
      rest,
    )
  )
    return null
  return { inner: joinKeys(literals), end }
}

export const joinKeys = (literals: readonly Literal[]): string =>
  literals.map(({ key }) => `${key};`).join('')

/** The keys of a group. */
export const keysOf = (group: string): string[] => group.split(/;(?=["#]|$)/).filter((key) => key !== '')

/** The first key that says something. */
export const firstKey = (group: string): string => keysOf(group).find((key) => kindOf(key) !== 'plain') ?? ''
export const countTelling = (group: string): number =>
  keysOf(group).filter((key) => kindOf(key) !== 'plain').length

/** Names alone may be a list of the domain. */
export const isTellingGroup = (group: string): boolean => {
  const keys = keysOf(group)
  return (
    keys.some((key) => kindOf(key) === 'data') ||
    keys.filter((key) => kindOf(key) === 'number').length > 1 ||
    keys.filter(isLetter).length > 2
  )
}

const GROUP_MAX = 400

/** The index after the bracket that closes the one at `at`; -1 if there is none. */
function findEnd(text: string, at: number): number {
  const strings = readLiterals(text.slice(at, at + GROUP_MAX))
  let depth = 0
  for (let i = at; i < Math.min(text.length, at + GROUP_MAX); i++) {
    const inside = strings.find(({ start, end }) => start + at <= i && i < end + at)
    if (inside !== undefined) {
      i = inside.end + at - 1
      continue
    }
    if ('([{'.includes(text[i] ?? ' ')) depth++
    if (')]}'.includes(text[i] ?? ' ') && --depth === 0) return i + 1
  }
  return -1
}

const HASH_COMMENTS = new Set(['py', 'rb', 'sh', 'ex', 'exs', 'pyi'])

/** Replaces comments and the documentation of Python by blanks. */
export function dropComments(path: string, text: string): string {
  const isHash = HASH_COMMENTS.has(extensionOf(path))
  const comments = isHash
    ? '#[^\\n]*|"""[\\s\\S]*?"""|\'\'\'[\\s\\S]*?\'\'\''
    : '//[^\\n]*|/\\*[\\s\\S]*?\\*/'
  const pattern = new RegExp(isHash ? `(${comments})|${STRING}` : `${STRING}|(${comments})`, 'g')
  return text.replace(pattern, (whole: string, comment?: string) =>
    comment === undefined ? whole : whole.replace(/[^\n]/g, ' '),
  )
}
