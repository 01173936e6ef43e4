// Cuts the excerpt of a file that is needed to judge a finding: imports and the blocks around the given lines. Blocks are found
// by indentation, which needs no parser and works in every language.

import type { LineRange } from '../findings/tracked-finding.ts'

/** The most lines of a block before and after the given line. */
export const CONTEXT_LINES_MAX = 120

const IMPORT =
  /^\s*(import\b|from\b|package\b|use\b|#include\b|(const|let|var)\s.{0,200}\brequire\(|require(_once)?\b)/
const IMPORTS_MAX = 40
const IMPORT_LINES = 200

/** Formats lines as `12| text`, counted from 1, with an ellipsis between ranges. */
export function formatExcerpt(
  lines: readonly string[],
  lineNumbers: readonly number[],
  contextLines: number,
): string {
  const parts = excerptRanges(lines, lineNumbers, contextLines).map(({ from, to }) =>
    lines.slice(from - 1, to).map((text, at) => `${from + at}| ${text}`),
  )
  return parts.map((part) => part.join('\n')).join('\n…\n')
}

export const excerptRanges = (
  lines: readonly string[],
  lineNumbers: readonly number[],
  contextLines: number,
): LineRange[] =>
  mergeRanges([
    ...importRanges(lines),
    ...lineNumbers.map((line) => enclosingBlock(lines, line, contextLines)),
  ])

/** The outermost block around a line, cut to the context limit. */
export function enclosingBlock(lines: readonly string[], line: number, contextLines: number): LineRange {
  const isTop = (at: number) => /^\S/.test(lines[at - 1] ?? '') && !/^[})\]]/.test(lines[at - 1] ?? '')
  const last = lines.length
  let from = Math.max(1, Math.min(line, last))
  while (from > 1 && from > line - contextLines && !isTop(from)) from--
  let to = Math.min(last, Math.max(1, line))
  while (to < last && to < line + contextLines && !isTop(to + 1)) to++
  return { from, to }
}

function importRanges(lines: readonly string[]): LineRange[] {
  const ranges: LineRange[] = []
  for (let at = 1; at <= Math.min(IMPORT_LINES, lines.length) && ranges.length < IMPORTS_MAX; at++)
    if (IMPORT.test(lines[at - 1] ?? '')) ranges.push({ from: at, to: at })
  return ranges
}

function mergeRanges(ranges: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = []
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const before = result.at(-1)
    if (before && range.from <= before.to + 1)
      result[result.length - 1] = { from: before.from, to: Math.max(before.to, range.to) }
    else result.push(range)
  }
  return result
}
