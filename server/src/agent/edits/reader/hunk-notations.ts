// Reads hunks in two common notations: merge conflict marks, and unified diffs. Line numbers are ignored because
// models miscount.
import type { EditHunk } from '@cowrie/workspace/edits/file-block.ts'

/** The hunks of one file, or undefined for other text. `damaged`: conflict marks that do not pair up. */
export function readForeignHunks(lines: readonly string[]): EditHunk[] | 'damaged' | undefined {
  return readConflictMarks(lines) ?? readDiffHunks(lines)
}

/** Longer lines are text. */
const MARK_CHARS_MAX = 200

const isMark = (line: string, pattern: RegExp): boolean =>
  line.length <= MARK_CHARS_MAX && pattern.test(line.trim())

const SEARCH = /^(?:<{5,9}(?:\s*(?:search|find|original|head|old|before))?|-{5,9}\s*search)>?$/i
const DIVIDER = /^={5,9}$/
const REPLACE = /^(?:>{5,9}|\+{5,9}\s*replace>?$)/i

export const isSearchMark = (line: string): boolean => isMark(line, SEARCH)

/**
 * `end` is -1 if the block has no end. `hunk` is undefined if the text itself contains marks, so the division is
 * ambiguous.
 */
export type ConflictBlock = { readonly end: number; readonly hunk: EditHunk | undefined }

export function readConflict(lines: readonly string[], at: number): ConflictBlock {
  const divider = nextIndex(lines, at, DIVIDER)
  const end = nextIndex(lines, divider, REPLACE)
  const isClear =
    end >= 0 &&
    !lines
      .slice(at + 1, end)
      .some((line, i) => isSearchMark(line) || (at + 1 + i !== divider && isDivider(line)))
  const text = (from: number, to: number) => lines.slice(from, to).join('\n')
  const hunk = { find: text(firstLine(lines, at, divider), divider), with: text(divider + 1, end) }
  return { end, hunk: isClear ? hunk : undefined }
}

const isDivider = (line: string): boolean => isMark(line, DIVIDER)

/** Some models write `:start_line:12` and a line of dashes above the lines to find. */
function firstLine(lines: readonly string[], search: number, divider: number): number {
  const rule = lines
    .slice(search + 1, Math.min(divider, search + 4))
    .findIndex((line) => /^-{5,9}$/.test(line.trim()))
  const isHead =
    rule > 0 && lines.slice(search + 1, search + 1 + rule).every((line) => /^:\w+:\s*\d+$/.test(line.trim()))
  return isHead ? search + 2 + rule : search + 1
}

export function readConflictMarks(lines: readonly string[]): EditHunk[] | 'damaged' | undefined {
  const hunks: EditHunk[] = []
  let at = lines.findIndex(isSearchMark)
  if (at < 0) return undefined
  while (at >= 0) {
    const { end, hunk } = readConflict(lines, at)
    if (!hunk) return 'damaged'
    hunks.push(hunk)
    at = nextIndex(lines, end, SEARCH)
  }
  return hunks
}

function nextIndex(lines: readonly string[], after: number, pattern: RegExp): number {
  if (after < 0) return -1
  for (let at = after + 1; at < lines.length; at++) if (isMark(lines[at] ?? '', pattern)) return at
  return -1
}

/** Requires a hunk header: lines that begin with a minus are not a diff. */
export function readDiffHunks(lines: readonly string[]): EditHunk[] | undefined {
  const starts = [...lines.keys()].filter((at) => lines[at]?.startsWith('@@'))
  if (starts.length === 0) return undefined
  const hunks = starts.map((start, i) => toHunk(lines.slice(start + 1, starts[i + 1] ?? lines.length)))
  return hunks.every((hunk) => hunk !== undefined) ? hunks : undefined
}

function toHunk(lines: readonly string[]): EditHunk | undefined {
  const kept = stripTrailingBlanks(lines.filter((line) => !line.startsWith('\\ No newline')))
  // Empty context lines often lose their leading space.
  if (kept.length === 0 || kept.some((line) => line !== '' && !/^[ +-]/.test(line))) return undefined
  const side = (other: string) =>
    kept
      .filter((line) => !line.startsWith(other))
      .map((line) => line.slice(1))
      .join('\n')
  return { find: side('+'), with: side('-') }
}

function stripTrailingBlanks(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}
