// Changes written in the two notations that models know from elsewhere: the marks of a merge conflict, and the unified
// diff, whose line numbers are ignored because models cannot count.
import type { Hunk } from './envelope.ts'

/** The hunks of one file, or undefined when the lines are in neither notation. */
export function readLooseChange(lines: readonly string[]): Hunk[] | undefined {
  return readConflictMarks(lines) ?? readDiffHunks(lines)
}

/** A line of marks is short; what is longer is text. */
const MARK_CHARS_MAX = 200

const isMark = (line: string, pattern: RegExp): boolean =>
  line.length <= MARK_CHARS_MAX && pattern.test(line.trim())

const SEARCH = /^<{5,9}(?:\s*(?:search|find|original|head|old|before))?$/i
const DIVIDER = /^={5,9}$/
const REPLACE = /^>{5,9}/

export const isSearchMark = (line: string): boolean => isMark(line, SEARCH)

/** Where the change that begins at `at` is divided, and where it ends; -1 where it is not. */
export function conflictFrom(lines: readonly string[], at: number): { divider: number; end: number } {
  const divider = nextIndex(lines, at, DIVIDER)
  return { divider, end: nextIndex(lines, divider, REPLACE) }
}

export function readConflictMarks(lines: readonly string[]): Hunk[] | undefined {
  const hunks: Hunk[] = []
  let at = lines.findIndex(isSearchMark)
  if (at < 0) return undefined
  while (at >= 0) {
    const { divider, end } = conflictFrom(lines, at)
    if (divider < 0 || end < 0) return undefined
    hunks.push({
      find: lines.slice(at + 1, divider).join('\n'),
      with: lines.slice(divider + 1, end).join('\n'),
    })
    at = nextIndex(lines, end, SEARCH)
  }
  return hunks
}

function nextIndex(lines: readonly string[], after: number, pattern: RegExp): number {
  if (after < 0) return -1
  for (let at = after + 1; at < lines.length; at++) if (isMark(lines[at] ?? '', pattern)) return at
  return -1
}

/** Needs a header of its own: lines that happen to begin with a minus are no diff. */
export function readDiffHunks(lines: readonly string[]): Hunk[] | undefined {
  const starts = [...lines.keys()].filter((at) => lines[at]?.startsWith('@@'))
  if (starts.length === 0) return undefined
  const hunks = starts.map((start, i) => hunkOf(lines.slice(start + 1, starts[i + 1] ?? lines.length)))
  return hunks.every((hunk) => hunk !== undefined) ? hunks : undefined
}

function hunkOf(lines: readonly string[]): Hunk | undefined {
  const kept = withoutTrailingBlanks(lines.filter((line) => !line.startsWith('\\ No newline')))
  // An empty line of context often loses the blank that should begin it.
  if (kept.length === 0 || kept.some((line) => line !== '' && !/^[ +-]/.test(line))) return undefined
  const side = (other: string) =>
    kept
      .filter((line) => !line.startsWith(other))
      .map((line) => line.slice(1))
      .join('\n')
  return { find: side('+'), with: side('-') }
}

function withoutTrailingBlanks(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}
