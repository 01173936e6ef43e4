// Finding the marks of a run in what a model wrote, also when it drew them slightly otherwise: other brackets, one
// bracket too few, bold, quoted, lower case. The nonce is what makes a line a mark; no file contains it.
import type { Nonce } from '../markers.ts'

export type MarkWord = 'PLAN' | 'FILE' | 'WHY' | 'FIND' | 'WITH' | 'BODY' | 'END' | 'SUMMARY'
export type Mark = { word: MarkWord; about: string }

/** What a line is made of: text before its mark, the mark, and text behind it. */
export type MarkedLine = { before: string; mark: Mark; after: string }

export type MarkFinder = (line: string) => MarkedLine | undefined

/** Beyond this a line is text: no mark needs so many characters. */
export const MARK_LINE_CHARS_MAX = 2_000

export function createMarkFinder(nonce: Nonce): MarkFinder {
  const escaped = nonce.replace(/[^\w]/g, '\\$&')
  const pattern = new RegExp(
    `^(.*?)([${OPENING}]{1,4})\\s*/?\\s*${escaped}\\s*[:|,-]?\\s*(/?[a-z]+)\\b[:]?(.*)$`,
    'isu',
  )
  return (line) => {
    const lower = nonce.toLowerCase()
    if (line.length > MARK_LINE_CHARS_MAX || !line.toLowerCase().includes(lower)) return undefined
    const [, before = '', , name = '', rest = ''] = pattern.exec(line) ?? []
    const named = WORDS[name.toUpperCase()]
    if (!named) return undefined
    const { inside, after } = splitAtClose(rest)
    const about = name.toUpperCase() in ACTIONS ? `${name.toLowerCase()} ${inside}` : inside
    return { before: withoutDecoration(before), mark: { word: named, about: about.trim() }, after }
  }
}

/**
 * How much of a line that is still being written can be shown: not what may turn out to be a mark, or its decoration.
 * `isStart` says that nothing of the line was shown before.
 */
export function holdBackFrom(text: string, isStart: boolean): number {
  const bracket = text.search(OPENING_PATTERN)
  const at = bracket < 0 ? text.length : bracket
  return isStart && /^[\s>#*_~`-]*$/.test(text.slice(0, at)) ? 0 : at
}

const OPENING = '\\[<{(【《«⟦'
const OPENING_PATTERN = new RegExp(`[${OPENING}]`, 'u')
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

/** Decoration around a mark says nothing; any other text before it belongs to what came before. */
const withoutDecoration = (before: string): string => (/^[\s>#*_~`-]*$/.test(before) ? '' : before)

/** Brackets that a path itself opened, as in `app/[id]`, stay with it. */
function splitAtClose(rest: string): { inside: string; after: string } {
  const closed = /^(.*?[^\]>})】》»⟧]|)([\]>})】》»⟧]{2,})(\s+\S.*)$/su.exec(rest)
  const [, start = '', brackets = '', after = ''] = closed ?? []
  const inside = closed ? start + brackets : rest
  return { inside: withoutClose(inside), after: closed ? after.slice(1) : '' }
}

function withoutClose(text: string): string {
  let inside = text.replace(/[\s*_`~]+$/, '')
  for (let last = inside.at(-1) ?? ''; last in CLOSE; last = inside.at(-1) ?? '') {
    const open = CLOSE[last] ?? ''
    if (inside.split(open).length >= inside.split(last).length) break
    inside = inside.slice(0, -1).trimEnd()
  }
  return inside
}
