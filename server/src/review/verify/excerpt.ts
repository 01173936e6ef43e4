// The part of a file that a finding can be judged by: what the file imports, and the blocks around the lines in question. By
// indentation, because that needs no parser and holds in every language that people read.

import type { LineRange } from '../findings/located-finding.ts'

/** As far as a block is followed from the line in question. */
export const CONTEXT_LINES_MAX = 120

const IMPORT =
  /^\s*(import\b|from\b|package\b|use\b|#include\b|(const|let|var)\s.{0,200}\brequire\(|require(_once)?\b)/
const IMPORTS_MAX = 40
const IMPORT_LINES = 200

/** Lines as `12| text`, with a mark where some are left out. Lines count from 1. */
export function formatExcerpt(lines: readonly string[], about: readonly number[], reach: number): string {
  const parts = excerptRanges(lines, about, reach).map(({ from, to }) =>
    lines.slice(from - 1, to).map((text, at) => `${from + at}| ${text}`),
  )
  return parts.map((part) => part.join('\n')).join('\n…\n')
}

export const excerptRanges = (
  lines: readonly string[],
  about: readonly number[],
  reach: number,
): LineRange[] =>
  mergeRanges([...importRanges(lines), ...about.map((line) => enclosingBlock(lines, line, reach))])

/** The outermost block that a line stands in, as far as it is within reach. */
export function enclosingBlock(lines: readonly string[], line: number, reach: number): LineRange {
  const isTop = (at: number) => /^\S/.test(lines[at - 1] ?? '') && !/^[})\]]/.test(lines[at - 1] ?? '')
  const last = lines.length
  let from = Math.max(1, Math.min(line, last))
  while (from > 1 && from > line - reach && !isTop(from)) from--
  let to = Math.min(last, Math.max(1, line))
  while (to < last && to < line + reach && !isTop(to + 1)) to++
  return { from, to }
}

function importRanges(lines: readonly string[]): LineRange[] {
  const spans: LineRange[] = []
  for (let at = 1; at <= Math.min(IMPORT_LINES, lines.length) && spans.length < IMPORTS_MAX; at++)
    if (IMPORT.test(lines[at - 1] ?? '')) spans.push({ from: at, to: at })
  return spans
}

function mergeRanges(spans: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const before = result.at(-1)
    if (before && span.from <= before.to + 1)
      result[result.length - 1] = { from: before.from, to: Math.max(before.to, span.to) }
    else result.push(span)
  }
  return result
}
