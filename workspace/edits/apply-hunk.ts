// Applies one hunk to one file: find the quoted lines, merge in the new ones, replace the range.
import type { FailureReason } from './failures.ts'
import { type EditHunk, LINES_MAX } from './file-block.ts'
import { createCommentMatcher } from './match/comment-lines.ts'
import type { LineReplacement } from './match/line-keys.ts'
import { type LineMatch, locate, type MatchLevel } from './match/locate.ts'
import { mergeLines } from './match/merge-lines.ts'
import { createRestyler } from './match/restyle.ts'
import { splice, type TextLines } from './match/text-lines.ts'

/** `added` and `removed` are the lines that the hunk itself changes, for the checks; `cut` is the replaced range. */
export type AppliedHunk =
  | {
      text: TextLines
      level: MatchLevel
      added: readonly string[]
      removed: readonly string[]
      cut: LineReplacement
    }
  | { reason: FailureReason }

export function applyHunk(text: TextLines, hunk: EditHunk, path: string): AppliedHunk {
  const [find, replacement] = [toLines(hunk.find), toLines(hunk.with)]
  if (find.length > LINES_MAX || replacement.length > LINES_MAX) return { reason: 'too_costly' }
  const applied = applyLines(text, find, replacement, path)
  if (!('reason' in applied) || applied.reason !== 'find_missing') return applied
  return applyListing(text, find, replacement, path) ?? applied
}

/** Reads FIND as a listing with line numbers. A single line must stand at exactly its number. */
function applyListing(
  text: TextLines,
  find: readonly string[],
  replacement: readonly string[],
  path: string,
): AppliedHunk | undefined {
  const listed = stripLineNumbers(find)
  if (!listed) return undefined
  const isLone = listed.lines.length === 1
  if (isLone && text.lines[listed.first - 1]?.trim() !== listed.lines[0]?.trim()) return undefined
  const isNumber = (line: string) => stripLineNumbers([line]) !== undefined
  const plain = stripLineNumbers(replacement)?.lines ?? replacement
  // If only some new lines have numbers, the numbers may belong to the text. Refuse.
  return plain === replacement && replacement.some(isNumber)
    ? undefined
    : applyLines(text, listed.lines, plain, path)
}

function applyLines(
  text: TextLines,
  find: readonly string[],
  replacement: readonly string[],
  path: string,
): AppliedHunk {
  if (find.every((line) => line.trim() === ''))
    return text.lines.every((line) => line.trim() === '')
      ? fillEmptyFile(text, replacement)
      : { reason: 'find_empty' }
  const whole = locate(text.lines, find, createCommentMatcher(path))
  if (!('reason' in whole) && whole.level < 4) return replaceLines(text, whole, find, replacement, path)
  // Models often add blank lines around a quotation. Drop them in FIND and, equally, in the new lines.
  const trimmed = trimBlankEdges(find, replacement)
  if (!trimmed) return 'reason' in whole ? whole : replaceLines(text, whole, find, replacement, path)
  const place = locate(text.lines, trimmed.find, createCommentMatcher(path))
  return 'reason' in place ? place : replaceLines(text, place, trimmed.find, trimmed.replacement, path)
}

const toLines = (text: string): string[] =>
  text === '' ? [] : text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))

function fillEmptyFile(text: TextLines, replacement: readonly string[]): AppliedHunk {
  const cut = { start: 0, end: text.lines.length, lines: replacement }
  const filled = splice(text, cut.start, cut.end, replacement)
  return { text: filled, level: 0, added: replacement, removed: [], cut }
}

function trimBlankEdges(
  find: readonly string[],
  replacement: readonly string[],
): { find: string[]; replacement: string[] } | undefined {
  const isText = (line: string) => line.trim() !== ''
  const before = find.findIndex(isText)
  const after = find.length - 1 - find.findLastIndex(isText)
  if (before === 0 && after === 0) return undefined
  const airBefore = replacement.findIndex(isText)
  const airAfter = replacement.length - 1 - replacement.findLastIndex(isText)
  const isAir = airBefore < 0
  return {
    find: find.slice(before, find.length - after),
    replacement: isAir
      ? []
      : replacement.slice(Math.min(before, airBefore), replacement.length - Math.min(after, airAfter)),
  }
}

function replaceLines(
  text: TextLines,
  place: LineMatch,
  find: readonly string[],
  replacement: readonly string[],
  path: string,
): AppliedHunk {
  const pairs = place.quoted.flatMap((at, i) =>
    at === undefined ? [] : [{ quoted: find[i] ?? '', real: text.lines[at] ?? '' }],
  )
  const restyle = createRestyler(place.level, pairs, text.lines, path)
  const merged = mergeLines(text.lines, place, find, replacement, restyle)
  if ('reason' in merged) return merged
  const old = text.lines.slice(place.start, place.end)
  return {
    text: splice(text, place.start, place.end, merged.lines),
    level: place.level,
    added: subtractLines(merged.lines, old),
    removed: subtractLines(old, merged.lines),
    cut: { start: place.start, end: place.end, lines: merged.lines },
  }
}

/** The lines of `lines` that occur more often than in `others`. */
export function subtractLines(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}

export type NumberedListing = { readonly lines: readonly string[]; readonly first: number }

/** The lines without their numbers. Every non-blank line must have one, and the numbers must be consecutive. */
export function stripLineNumbers(lines: readonly string[]): NumberedListing | undefined {
  const numbered = lines.map((line) => (line.trim() === '' ? undefined : splitNumber(line)))
  const found = numbered.filter((each) => each !== undefined)
  const [first] = found
  if (!first || found.length < lines.filter((line) => line.trim() !== '').length) return undefined
  const offset = first.number - numbered.indexOf(first)
  if (numbered.some((each, at) => each !== undefined && each.number !== offset + at)) return undefined
  // If every line has a space after the number, that space is a separator.
  const isParted = found.every(({ text }) => text === '' || text.startsWith(' '))
  return {
    lines: numbered.map((each) => (each === undefined ? '' : isParted ? each.text.slice(1) : each.text)),
    first: offset,
  }
}

function splitNumber(line: string): { number: number; text: string } | undefined {
  const [all, digits] = /^[ \t]{0,8}(\d{1,6})[ \t]{0,2}[:|\t]/.exec(line) ?? []
  return all === undefined ? undefined : { number: Number(digits), text: line.slice(all.length) }
}
