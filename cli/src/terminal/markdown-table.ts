// Tables of Markdown: aligned if they fit, otherwise one line per cell.
import { bold, type Line, type Span, verbatim } from './line.ts'
import { widthOf } from './width.ts'

const ROW = /^\s{0,3}\|.*\|\s*$/
const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/
const GAP = 2
const CELLS_MAX = 40

export const isTableRow = (line: string): boolean => ROW.test(line)

export function tableLines(
  rows: readonly string[],
  width: number,
  inline: (text: string) => readonly Span[],
): Line[] {
  const [head = '', rule = '', ...body] = rows
  if (rows.length < 2 || !RULE.test(rule)) return rows.map((row) => inline(row))
  const parsed = [head, ...body].map((row) => cellsOf(row).map((cell) => inline(cell)))
  const widths = parsed.reduce<number[]>((most, row) => {
    for (const [index, cell] of row.entries()) most[index] = Math.max(most[index] ?? 0, spanWidth(cell))
    return most
  }, [])
  const total = widths.reduce((sum, each) => sum + each + GAP, -GAP)
  const [titles = [], ...records] = parsed
  if (total > width) return records.flatMap((record) => [...stacked(titles, record), ''])
  return parsed.map((row, index) => aligned(row, widths, index === 0))
}

function cellsOf(row: string): string[] {
  const inner = row.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/, CELLS_MAX).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

const spanWidth = (cell: readonly Span[]): number => cell.reduce((sum, { text }) => sum + widthOf(text), 0)

/** Never wrapped: it fits. */
function aligned(row: readonly (readonly Span[])[], widths: readonly number[], isHead: boolean): Line {
  return row.flatMap((cell, index): Span[] => {
    const spans = isHead ? cell.map((span) => ({ ...span, ...bold(span.text) })) : cell
    const space = (widths[index] ?? 0) - spanWidth(cell) + GAP
    const isLast = index === row.length - 1
    return [
      ...spans.map((span): Span => ({ ...span, verbatim: true })),
      ...(isLast ? [] : [verbatim(' '.repeat(space))]),
    ]
  })
}

/** The title before each cell; the first cell is the heading of the row. */
function stacked(titles: readonly (readonly Span[])[], record: readonly (readonly Span[])[]): Line[] {
  return record.map((cell, index) =>
    index === 0
      ? cell.map((span) => ({ ...span, ...bold(span.text) }))
      : [{ text: '  ' }, ...(titles[index] ?? []), { text: ': ' }, ...cell],
  )
}
