// Finds the lines of a text that match a query.
import { mayOverlapPlaceholder } from '../secrets/placeholders.ts'
import { requiredLiterals } from './required-literals.ts'

export type LineQuery =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string; readonly flags: string }

/** `text` is the part of the line around the match. */
export type LineMatch = { readonly line: number; readonly text: string }

export type LineMatcher = {
  /** False if no masked form of the text can match. The answer never depends on a secret in the text. */
  mayMatch(raw: string): boolean
  /** At most `room` lines; `count` is the number of all matching lines, at most `countMax`. */
  find(text: string, room: number, countMax: number): { matches: LineMatch[]; count: number }
}

export function createLineMatcher(query: LineQuery): LineMatcher {
  return query.kind === 'text' ? createTextMatcher(query.text) : createRegexMatcher(query)
}

/** A query in lower case also finds capital letters. */
function createTextMatcher(query: string): LineMatcher {
  const isLower = query === query.toLowerCase()
  const fold = (text: string) => (isLower ? foldCase(text) : text)
  const isAlways = mayOverlapPlaceholder(query)
  return {
    mayMatch: (raw) => isAlways || fold(raw).includes(query),
    find: (text, room, countMax) => {
      const folded = fold(text)
      return collect(text, room, countMax, (from) => {
        const at = folded.indexOf(query, from)
        return at === -1 ? undefined : { at, length: query.length }
      })
    },
  }
}

/** Lower case without changes of the length, so that positions stay. */
const foldCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function createRegexMatcher({ source, flags }: { source: string; flags: string }): LineMatcher {
  const pattern = new RegExp(source, `${flags}gm`)
  const literals = requiredLiterals(source)
  const isFolded = flags.includes('i')
  return {
    mayMatch: (raw) => {
      if (literals === undefined) return true
      const text = isFolded ? raw.toLowerCase() : raw
      return literals.some((literal) => text.includes(isFolded ? literal.toLowerCase() : literal))
    },
    find: (text, room, countMax) =>
      collect(text, room, countMax, (from) => {
        pattern.lastIndex = from
        const match = pattern.exec(text)
        return match === null ? undefined : { at: match.index, length: match[0].length }
      }),
  }
}

const SHOWN_CHARACTERS = 300

/** The first match of each line. */
function collect(
  text: string,
  room: number,
  countMax: number,
  next: (from: number) => { at: number; length: number } | undefined,
): { matches: LineMatch[]; count: number } {
  const matches: LineMatch[] = []
  let [count, from, line, counted] = [0, 0, 1, 0]
  for (let match = next(from); match !== undefined && count < countMax; match = next(from)) {
    // The empty end of a text is no line.
    if (match.at >= text.length && match.at > 0) break
    count += 1
    const end = text.indexOf('\n', match.at)
    if (matches.length < room) {
      for (
        let at = text.indexOf('\n', counted);
        at !== -1 && at < match.at;
        at = text.indexOf('\n', at + 1)
      ) {
        line += 1
        counted = at + 1
      }
      matches.push({ line, text: showAround(text, match.at, end === -1 ? text.length : end) })
    }
    if (end === -1) break
    from = end + 1
  }
  return { matches, count }
}

/** The line, or the part of a long line around the match. */
function showAround(text: string, at: number, lineEnd: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  if (lineEnd - lineStart <= SHOWN_CHARACTERS) return text.slice(lineStart, lineEnd).trimEnd()
  const start = Math.max(lineStart, at - SHOWN_CHARACTERS / 3)
  const end = Math.min(lineEnd, start + SHOWN_CHARACTERS)
  return `${start > lineStart ? '…' : ''}${text.slice(start, end)}${end < lineEnd ? '…' : ''}`
}
