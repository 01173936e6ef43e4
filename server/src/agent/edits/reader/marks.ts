// Finds the marks of a run in an answer, including variants: other brackets, a missing bracket, bold, quoted, lower
// case. The nonce identifies a mark; no file contains it.
import type { Nonce } from '../../prompt/markers.ts'

export type MarkWord = 'PLAN' | 'FILE' | 'WHY' | 'FIND' | 'WITH' | 'BODY' | 'END' | 'SUMMARY'
export type AnswerMark = { word: MarkWord; about: string }

/** A line split into the text before its mark, the mark, and the text after it. */
export type MarkedLine = {
  before: string
  mark: AnswerMark
  after: string
  /** Only decoration stands beside the mark, so it is a mark and not a mention. */
  isAlone: boolean
  /** The mark is a list item. */
  isListed: boolean
}

export type MarkFinder = (line: string) => MarkedLine | undefined

/** Longer lines are text. */
export const MARK_LINE_CHARS_MAX = 1_000

export function createMarkFinder(nonce: Nonce): MarkFinder {
  const pattern = new RegExp(nonce.replace(/[^\w]/g, '\\$&'), 'gi')
  return (line) => {
    if (line.length < nonce.length || line.length > MARK_LINE_CHARS_MAX) return undefined
    for (const { index, 0: found } of line.matchAll(pattern)) {
      const marked = parseMark(line.slice(0, index), line.slice(index + found.length))
      if (marked) return marked
    }
    return undefined
  }
}

/**
 * How much of an unfinished line can be shown, excluding a possible mark and its decoration. `isStart`: nothing of
 * the line was shown yet.
 */
export function holdBackFrom(text: string, isStart: boolean): number {
  const bracket = text.search(OPENING_PATTERN)
  const at = bracket < 0 ? text.length : bracket
  return isStart && stripDecoration(text.slice(0, at)) === '' ? 0 : at
}

const OPENING = '[<{(【《«⟦'
const OPENING_PATTERN = /[[<{(【《«⟦]/u
const CLOSE: Readonly<Record<string, string>> = {
  ']': '[',
  '>': '<',
  '}': '{',
  ')': '(',
  '】': '【',
  '》': '《',
  '»': '«',
  '⟧': '⟦',
}
const ACTIONS = { UPDATE: true, CREATE: true, DELETE: true, EDIT: true, NEW: true }
const WORDS: Readonly<Record<string, MarkWord>> = {
  PLAN: 'PLAN',
  FILE: 'FILE',
  UPDATE: 'FILE',
  CREATE: 'FILE',
  DELETE: 'FILE',
  EDIT: 'FILE',
  NEW: 'FILE',
  WHY: 'WHY',
  FIND: 'FIND',
  SEARCH: 'FIND',
  WITH: 'WITH',
  REPLACE: 'WITH',
  BODY: 'BODY',
  CONTENT: 'BODY',
  END: 'END',
  ENDFILE: 'END',
  '/FILE': 'END',
  '/BODY': 'END',
  '/FIND': 'END',
  '/WITH': 'END',
  SUMMARY: 'SUMMARY',
}

/** Parses the mark whose nonce stands between `head` and `tail`. */
function parseMark(head: string, tail: string): MarkedLine | undefined {
  const opened = findOpening(head)
  if (!opened) return undefined
  const words = stripSeparator(tail)
  const name = /^\/?[a-z]+\b/i.exec(words)?.[0].toUpperCase() ?? ''
  const { inside, after } = splitAtClose(words.slice(name.length).replace(/^:/, ''))
  const word = opened.isClosing ? closingWord(name, inside) : WORDS[name]
  if (!word) return undefined
  const about = name in ACTIONS ? `${name.toLowerCase()} ${inside}` : inside
  const bare = stripDecoration(opened.before)
  const isNumbered = /^\d{1,3}[.)]$/.test(bare)
  const isAlone = (bare === '' || isNumbered) && /^(why\b|$)/i.test(stripDecoration(after))
  const isListed = isNumbered || /^\s*[-*+•]\s/.test(opened.before)
  const before = bare === '' || (word === 'FILE' && isNumbered) ? '' : opened.before
  return { before, mark: { word, about: about.trim() }, after, isAlone, isListed }
}

/** `[[/nonce]]` and `[[/nonce WORD]]` end the current part. */
const closingWord = (name: string, inside: string): MarkWord | undefined =>
  name in WORDS || (name === '' && inside === '') ? 'END' : undefined

function findOpening(head: string): { before: string; isClosing: boolean } | undefined {
  const trimmed = head.trimEnd()
  const isClosing = trimmed.endsWith('/')
  const opened = isClosing ? trimmed.slice(0, -1).trimEnd() : trimmed
  let end = opened.length
  while (end > 0 && OPENING.includes(opened.charAt(end - 1))) end--
  return end === opened.length ? undefined : { before: opened.slice(0, end), isClosing }
}

function stripSeparator(tail: string): string {
  const words = tail.trimStart()
  return /^[:|,-]/.test(words) ? words.slice(1).trimStart() : words
}

/** Decoration around a mark is ignored; other text before it belongs to the previous content. */
const stripDecoration = (text: string): string => text.replace(/[\s>#*_~`+•-]/g, '')

/** Brackets that a path itself opened, as in `app/[id]`, stay with it. */
function splitAtClose(rest: string): { inside: string; after: string } {
  for (const { index, 0: brackets } of rest.matchAll(/[\]>})】》»⟧]{2,}/gu)) {
    const behind = rest.slice(index + brackets.length).replace(/^:/, '')
    if (/^\s/.test(behind) && behind.trim() !== '')
      return { inside: stripClosing(rest.slice(0, index + brackets.length)), after: behind.slice(1) }
  }
  return { inside: stripClosing(rest), after: '' }
}

function stripClosing(text: string): string {
  const count = (character: string) => text.split(character).length - 1
  const spare = new Map(Object.entries(CLOSE).map(([close, open]) => [close, count(close) - count(open)]))
  let end = text.length
  while (end > 0 && ' \t*_`~:'.includes(text.charAt(end - 1))) end--
  for (let last = text.charAt(end - 1); (spare.get(last) ?? 0) > 0; last = text.charAt(end - 1)) {
    spare.set(last, (spare.get(last) ?? 0) - 1)
    end--
    while (end > 0 && text.charAt(end - 1).trim() === '') end--
  }
  return text.slice(0, end)
}

/**
 * Creates a finder for marks with a wrong or missing nonce; undefined if the answer has none. They count only if no
 * text that the model read contains such marks.
 */
export function createOtherMarkFinder(
  lines: readonly string[],
  texts: Iterable<string>,
): MarkFinder | undefined {
  const marks = lines.flatMap((line) => parseExactMark(line) ?? [])
  const words = new Set(marks.map(({ word }) => word))
  const isAnswer = words.has('FILE') && (words.has('PLAN') || words.has('SUMMARY'))
  const [nonce, ...others] = new Set(marks.map((mark) => mark.nonce))
  if (!isAnswer || nonce === undefined || others.length > 0) return undefined
  for (const text of texts) if (text.includes('[[') && ANYWHERE.test(text)) return undefined
  return (line) => {
    const mark = parseExactMark(line)
    return mark?.nonce === nonce ? { before: '', mark, after: '', isAlone: true, isListed: false } : undefined
  }
}

const EXACT =
  /^\[\[(?:([0-9a-f]{8}|N|nonce|NONCE) )?(PLAN|FIND|WITH|BODY|END|SUMMARY|FILE (?:update|create|delete) .+)\]\]:?$/
const ANYWHERE = /\[\[(?:\w{1,16} )?(?:PLAN|FILE|FIND|WITH|BODY|END|SUMMARY)\b/i

function parseExactMark(line: string): { nonce: string; word: MarkWord; about: string } | undefined {
  if (!line.startsWith('[[') || line.length > MARK_LINE_CHARS_MAX) return undefined
  const [all, nonce = '', words = ''] = EXACT.exec(line.trimEnd()) ?? []
  if (all === undefined) return undefined
  const [word = ''] = words.split(' ')
  return { nonce, word: word as MarkWord, about: words.slice(word.length).trim() }
}
