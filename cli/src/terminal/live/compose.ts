// Puts the parts of the live region together, within the height of the terminal.

import type { EditorState } from '../../editor/editor.ts'
import { bold, cyan, dim, type Line, type Span } from '../line.ts'
import { visible } from '../visible.ts'
import { widthOf } from '../width.ts'
import { inputRows, type SuggestionList, suggestionRows } from './input-rows.ts'
import type { QuestionView } from './question.ts'
import type { Size } from './region.ts'
import { type Paint, type Row, rowOf } from './row.ts'

export type Activity = { readonly text: string; readonly sinceMs: number }

export type LiveParts = {
  readonly partial: readonly Row[]
  readonly tail: readonly string[]
  readonly activity: {
    readonly mark: string
    readonly text: string
    readonly seconds: number
    readonly canStop: boolean
  } | null
  readonly waiting: readonly string[]
  readonly question: QuestionView<unknown> | null
  readonly line: { readonly prompt: string; readonly editor: EditorState } | null
  readonly input: { readonly editor: EditorState; readonly suggesting: SuggestionList | null } | null
  readonly status: readonly (string | Span)[]
  readonly hint: string | null
}

export type LiveRows = { readonly rows: Row[]; readonly cursor: { row: number; column: number } | null }

const TAIL_ROWS_MAX = 5
const WAITING_MAX = 3
const SUGGESTIONS_MAX = 7

export function compose(parts: LiveParts, { columns, rows: height }: Size, paint: Paint): LiveRows {
  const { partial, question, line, input } = parts
  const one = (text: Line) => rowOf(text, columns - 1, paint)
  // One row stays for the history, so that the region never scrolls away.
  let room = Math.max(4, height - 1)
  const status = parts.hint === null ? statusLine(parts.status, columns - 1) : [dim(parts.hint)]
  const below: Row[] = status.length > 0 ? [one(status)] : []
  const activity = parts.activity ? [one(activityLine(parts.activity))] : []
  room -= below.length + activity.length
  const shownPartial = partial.slice(-Math.max(1, Math.floor(room / 3)))
  room -= shownPartial.length

  let focus: Row[] = []
  let cursor: LiveRows['cursor'] = null
  if (question) focus = question.rows(columns, Math.max(2, room), paint)
  else if (line) {
    const drawn = inputRows(line.editor, { columns, height: 1, paint, prompt: line.prompt })
    focus = drawn.rows
    cursor = drawn.cursor
  } else if (input) {
    const suggested = Math.min(input.suggesting?.list.length ?? 0, SUGGESTIONS_MAX, Math.floor(room / 2))
    const drawn = inputRows(input.editor, {
      columns,
      height: Math.max(1, Math.floor((room - suggested) * 0.6)),
      paint,
    })
    cursor = drawn.cursor
    focus = [
      ...drawn.rows,
      ...(input.suggesting ? suggestionRows(input.suggesting, { columns, height: suggested, paint }) : []),
    ]
  }
  room -= focus.length
  const waiting = parts.waiting.slice(0, Math.max(0, Math.min(WAITING_MAX, room)))
  room -= waiting.length
  const tail = parts.tail.slice(-Math.max(0, Math.min(TAIL_ROWS_MAX, room)))
  const above = [
    ...shownPartial,
    ...(room > 0 ? tail.map((text) => one([dim(`  ${text}`)])) : []),
    ...activity,
    ...waiting.map((text) => one([dim(`> ${text.split('\n', 1)[0]} (sent next)`)])),
  ]
  return {
    rows: [...above, ...focus, ...below],
    cursor: cursor && { row: cursor.row + above.length, column: cursor.column },
  }
}

function activityLine({ mark, text, seconds, canStop }: NonNullable<LiveParts['activity']>): Line {
  // The time stands before the text, where its changes cost the fewest bytes.
  return [cyan(`${mark} `), dim(`${clock(seconds)} `), bold(text), ...(canStop ? [dim(' (Esc stops)')] : [])]
}

const clock = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`

/** Parts that do not fit are left out from the end; the first is cut. */
export function statusLine(parts: readonly (string | Span)[], width: number): Span[] {
  const line: Span[] = []
  let used = 0
  for (const part of parts) {
    const span: Span = typeof part === 'string' ? { text: part } : part
    const size = widthOf(visible(span.text))
    const gap = line.length === 0 ? 0 : SEPARATOR.length
    if (gap > 0 && used + gap + size > width) break
    if (gap > 0) line.push(dim(SEPARATOR))
    line.push(span.style ? span : dim(span.text))
    used += gap + size
  }
  return line
}

const SEPARATOR = ' · '
