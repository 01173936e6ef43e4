// Wraps lines at spaces.
import type { Line, Span } from './line.ts'
import { pad, widthOf } from './width.ts'

/** Continuation lines are indented below the text of a list item. */
const LEAD = /^\s*(?:(?:[-*+•!?✓✗]|\d{1,3}[.)])\s+)?/u
const TOKENS = /\s+|\S+/gu

/** Wraps a line. Words wider than the terminal, such as addresses, stay whole. */
export function wrap(line: Line, width: number): Line[] {
  const spans = spansOf(line)
  if (spans.some(({ verbatim }) => verbatim)) return [line]
  const text = spans.map((span) => span.text).join('')
  if (widthOf(text) <= width) return [line]
  const indent = ' '.repeat(indentFor(text, width))
  const lines: Span[][] = [[]]
  const wrapper = createWrapper(() => width, {
    write: (span) => lines.at(-1)?.push(span),
    breakLine: () => lines.push(indent === '' ? [] : [{ text: indent }]),
    indent: indent.length,
  })
  for (const span of spans) wrapper.take(span)
  return lines
}

/** The width of the prefix, unless too little room would remain. */
export function indentFor(text: string, width: number): number {
  const lead = widthOf(LEAD.exec(text)?.[0] ?? '')
  return lead > width / 2 ? 0 : lead
}

export type Wrapper = {
  /** Words and spaces of the current line in order; a word must not be split between two calls. */
  take(span: Span): void
}

/** Writes words and starts a new line before a word that does not fit. Spaces at a break are dropped. */
export function createWrapper(
  width: () => number,
  { write, breakLine, indent }: { write: (span: Span) => void; breakLine: () => void; indent: number },
): Wrapper {
  let column = 0
  let blank = ''
  return {
    take({ text, ...style }) {
      for (const [token] of text.matchAll(TOKENS)) {
        if (token.trim() === '') {
          blank += token
          continue
        }
        if (column > indent && column + widthOf(blank) + widthOf(token) > width()) {
          breakLine()
          column = indent
        } else if (blank !== '') {
          write({ text: blank })
          column += widthOf(blank)
        }
        blank = ''
        write({ text: token, ...style })
        column += widthOf(token)
      }
    },
  }
}

/** Wraps text into the lines of a column. */
export const wrapText = (text: string, width: number): string[] =>
  wrap(text, width).map((line) =>
    typeof line === 'string'
      ? line
      : line.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
  )

/** `name  value` with aligned values; on a narrow terminal the value is on its own line. */
export function columns(
  rows: readonly (readonly [string, string])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const first = Math.max(0, ...rows.map(([name]) => widthOf(name)))
  if (width < first + 24)
    return rows.flatMap(([name, value]) => [
      `  ${name}`,
      ...wrapText(value, width - 4).map((line) => `    ${line}`),
    ])
  return rows.flatMap(([name, value]) =>
    wrapText(value, width - first - 4).map(
      (line, index) => `  ${pad(index === 0 ? name : '', first)}  ${line}`,
    ),
  )
}

const spansOf = (line: Line): readonly Span[] =>
  typeof line === 'string'
    ? [{ text: line }]
    : line.map((part) => (typeof part === 'string' ? { text: part } : part))
