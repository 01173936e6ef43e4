// The rows of the input and of the suggestions below it.
import type { TypedWord } from '../../editor/completion.ts'
import type { EditorState } from '../../editor/editor.ts'
import { layOut } from '../../editor/layout.ts'
import { bold, cyan, dim, type Line } from '../line.ts'
import type { Suggestion } from '../screen-types.ts'
import { visiblePath } from '../visible.ts'
import { widthOf } from '../width.ts'
import { type Paint, type Row, rowOf } from './row.ts'

export const PROMPT = '> '
const MORE = '  '

export type SuggestionList = {
  readonly word: TypedWord
  readonly list: readonly Suggestion[]
  readonly selected: number
  /** The user moved through the list: Enter takes the selected one. */
  readonly isMoved: boolean
}

export type InputRows = { readonly rows: Row[]; readonly cursor: { row: number; column: number } }

/** The room for the text. */
export const inputWidth = (columns: number, prompt = PROMPT): number =>
  Math.max(4, columns - 1 - widthOf(prompt))

/** At most `height` rows around the cursor; without a limit, the whole text for the history. */
export function inputRows(
  state: EditorState,
  {
    columns,
    height,
    paint,
    prompt = PROMPT,
  }: { columns: number; height: number; paint: Paint; prompt?: string },
): InputRows {
  const { rows, cursor } = layOut(state.document, inputWidth(columns, prompt))
  const lead = searchLead(state) ?? prompt
  const start = Math.max(0, Math.min(cursor.row - Math.floor(height / 2), rows.length - height))
  const shown = rows
    .slice(start, start + height)
    .map(
      ({ pieces }, index): Line => [
        index + start === 0 ? bold(lead) : MORE,
        ...pieces.map(({ text, isMark }) => (isMark ? cyan(text) : text)),
      ],
    )
  const first = start === 0 && cursor.row === 0 ? widthOf(lead) : MORE.length
  return {
    rows: shown.map((line) => rowOf(line, columns - 1, paint)),
    cursor: { row: cursor.row - start, column: Math.min(first + cursor.column, columns - 2) },
  }
}

const searchLead = ({ search }: EditorState): string | null =>
  search && `${search.isFailing ? 'no match for' : 'search'} "${search.query}": `

export function suggestionRows(
  { list, selected }: SuggestionList,
  { columns, height, paint }: { columns: number; height: number; paint: Paint },
): Row[] {
  const count = Math.min(list.length, height)
  const start = Math.max(0, Math.min(selected - Math.floor(count / 2), list.length - count))
  return list.slice(start, start + count).map(({ text, label }, index) => {
    const name = visiblePath(text)
    const note = label === undefined ? '' : dim(`  ${label}`)
    const isSelected = index + start === selected
    return rowOf([isSelected ? cyan(`  ${name}`) : `  ${name}`, note], columns - 1, paint)
  })
}
