// An answer that streams: finished rows leave for the history, the unfinished row stays in the live region.
import { dim, type Line, type Span } from '../line.ts'
import { readMarkdown } from '../markdown.ts'
import type { AnswerView } from '../screen-types.ts'
import { type Paint, type Row, rowsOf, rowsOfWrapped } from './row.ts'

/** Longer lines of prose are hard to read. */
const PROSE_COLUMNS_MAX = 110

export type LiveAnswer = AnswerView & {
  /** The rows of the unfinished line. */
  partial(): Row[]
  /** Moves the unfinished line to the history, because something else is printed below it. */
  settle(): void
}

export function openAnswer(
  kind: 'text' | 'reasoning',
  {
    columns,
    paint,
    finish,
    onChange,
    onEnd,
  }: {
    columns: () => number
    paint: Paint
    finish: (rows: readonly Row[]) => void
    onChange: () => void
    onEnd: () => void
  },
): LiveAnswer {
  let current: Span[] | null = null
  let isOver = false
  const toned = (span: Span): Span => (kind === 'reasoning' ? dim(span.text) : span)
  const rows = (line: Line) => rowsOfWrapped(line, columns(), paint)
  const settle = () => {
    if (current) finish(rows(current))
    current = null
  }
  const reader = readMarkdown(
    {
      line(line) {
        const spans = (typeof line === 'string' ? [{ text: line }] : line).map((part) =>
          toned(typeof part === 'string' ? { text: part } : part),
        )
        finish(rowsOf(spans, columns(), paint))
      },
      words(span) {
        current = [...(current ?? []), toned(span)]
      },
      breakLine(indent) {
        settle()
        current = indent > 0 ? [{ text: ' '.repeat(indent) }] : []
      },
      endLine() {
        finish(rows(current ?? []))
        current = null
      },
    },
    () => Math.min(columns() - 1, PROSE_COLUMNS_MAX),
  )
  return {
    write(text) {
      if (isOver) return
      reader.take(text)
      onChange()
    },
    restart() {
      if (isOver) return
      reader.end()
      finish(rows([dim('(The answer starts again.)')]))
      onChange()
    },
    end() {
      if (isOver) return
      reader.end()
      isOver = true
      onEnd()
    },
    partial: () => (current ? rows(current) : []),
    settle,
  }
}
