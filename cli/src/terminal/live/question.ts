// A question with choices in the live region.
import type { Key } from '../../editor/keys.ts'
import { cyan, dim, type Line } from '../line.ts'
import type { Question } from '../screen-types.ts'
import { visible } from '../visible.ts'
import { widthOf } from '../width.ts'
import { wrapText } from '../wrap.ts'
import { type Paint, type Row, rowOf, rowsOf } from './row.ts'

export type QuestionView<V> = {
  /** At most `height` rows. */
  rows(columns: number, height: number, paint: Paint): Row[]
  /** The chosen index, 'none' for Esc and Ctrl-C, 'all' to show the whole body; null if nothing is decided. */
  press(key: Key): number | 'none' | 'all' | null
  readonly question: Question<V>
}

const BODY_ROWS_MIN = 3
const LABEL_COLUMNS_MIN = 10
const HINT = 'Press a key in brackets, or choose with the arrows and Enter. Esc leaves.'

export function openQuestion<V>(question: Question<V>): QuestionView<V> {
  const { title, body = [], choices, usual } = question
  let selected = usual === undefined ? -1 : choices.findIndex(({ value }) => value === usual)
  let isWhole = false
  /** After Enter without a selected choice. */
  let isHinted = false
  const step = (by: 1 | -1) => {
    selected =
      selected < 0 ? (by > 0 ? 0 : choices.length - 1) : (selected + by + choices.length) % choices.length
  }

  function choiceRows(columns: number, height: number, paint: Paint): Row[] {
    const whole = choices.map((_, index) => choiceLines(index, columns))
    if (whole.flat().length <= height) return whole.flat().map((line) => rowOf(line, columns - 1, paint))
    // A window of a long list around the selected one, with one row each.
    const count = Math.min(choices.length, height)
    const start = Math.max(0, Math.min(selected - Math.floor(count / 2), choices.length - count))
    return whole
      .slice(start, start + count)
      .map((_, offset) =>
        rowOf(choiceLines(start + offset, Number.POSITIVE_INFINITY)[0] ?? '', columns - 1, paint),
      )
  }

  function choiceLines(index: number, columns: number): Line[] {
    const choice = choices[index]
    if (!choice) return []
    const lead = `${index === selected ? '> ' : '  '}[${choice.key}] `
    const room = columns - 1 - widthOf(lead)
    const lines = room < LABEL_COLUMNS_MIN ? [choice.label] : wrapText(visible(choice.label), room)
    return lines.map((text, row) => {
      const line = (row === 0 ? lead : ' '.repeat(widthOf(lead))) + text
      return index === selected ? [cyan(line)] : line
    })
  }

  return {
    question,
    rows(columns, height, paint) {
      if (!isHinted || selected >= 0) return questionRows(columns, height, paint)
      const hint = rowOf([dim(HINT)], columns - 1, paint)
      return [...questionRows(columns, Math.max(1, height - 1), paint), hint].slice(-height)
    },
    press(key) {
      if (key.kind === 'paste') return null
      if (key.kind === 'text') {
        const index = choices.findIndex((choice) => choice.key === key.text)
        if (index >= 0) return index
        const loose = choices.findIndex((choice) => choice.key.toLowerCase() === key.text.toLowerCase())
        return loose >= 0 ? loose : null
      }
      switch (key.name) {
        case 'escape':
        case 'ctrl-c':
        case 'ctrl-d':
          return 'none'
        case 'enter':
          isHinted = selected < 0
          return selected >= 0 ? selected : null
        case 'up':
        case 'left':
        case 'shift-tab':
        case 'ctrl-p':
          step(-1)
          return null
        case 'down':
        case 'right':
        case 'ctrl-n':
          step(1)
          return null
        case 'tab':
          if (isWhole) return null
          isWhole = true
          return 'all'
        default:
          return null
      }
    },
  }

  function questionRows(columns: number, height: number, paint: Paint): Row[] {
    const titled = rowsOf(title, columns, paint)
    const titleRows = Math.max(2, Math.floor(height / 2))
    // A command that is too long for the window must not be approved unseen.
    const head =
      titled.length > titleRows
        ? [...titled.slice(0, titleRows - 1), remark(titled.length - titleRows + 1)]
        : titled
    const shown = isWhole ? [] : body
    const room = height - head.length
    const listed = choiceRows(columns, Math.max(1, room - (shown.length > 0 ? 1 : 0)), paint)
    const left = room - listed.length
    if (shown.length === 0) return [...head, ...listed]
    if (shown.length <= left) return [...head, ...shown.map(row), ...listed]
    const kept = left < BODY_ROWS_MIN ? [] : shown.slice(0, left - 1)
    return [...head, ...kept.map(row), remark(shown.length - kept.length), ...listed]

    function row(line: Line): Row {
      return rowOf(line, columns - 1, paint)
    }
    function remark(hidden: number): Row {
      const lines = hidden === 1 ? '1 more line' : `${hidden} more lines`
      return row([dim(`… ${lines} (${isWhole ? 'shown above' : 'Tab shows all'})`)])
    }
  }
}
