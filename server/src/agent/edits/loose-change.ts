// Changes written in the two notations that models know from elsewhere: the marks of a merge conflict, and the unified
// diff, whose line numbers are ignored because models cannot count.
import type { Hunk } from './envelope.ts'

/** The hunks of one file, or undefined when the lines are in neither notation. */
export function readLooseChange(lines: readonly string[]): Hunk[] | undefined {
  return readConflictMarks(lines) ?? readDiffHunks(lines)
}

const SEARCH = /^\s*<{5,9}\s*(search|find|original|head|old|before)?\s*$/i
const DIVIDER = /^\s*={5,9}\s*$/
const REPLACE = /^\s*>{5,9}\s*(replace|with|updated|new|after)?.*$/i

export function readConflictMarks(lines: readonly string[]): Hunk[] | undefined {
  const hunks: Hunk[] = []
  let at = lines.findIndex((line) => SEARCH.test(line))
  if (at < 0) return undefined
  while (at >= 0) {
    const divider = nextIndex(lines, at, DIVIDER)
    const end = nextIndex(lines, divider, REPLACE)
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
  for (let at = after + 1; at < lines.length; at++) if (pattern.test(lines[at] ?? '')) return at
  return -1
}

/** Needs a header of its own: lines that happen to begin with a minus are no diff. */
export function readDiffHunks(lines: readonly string[]): Hunk[] | undefined {
  const starts = lines.flatMap((line, at) => (/^@@/.test(line) ? [at] : []))
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
