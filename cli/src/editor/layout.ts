// Places the text of an input on rows of a terminal.
import { visible } from '../terminal/visible.ts'
import { widthOf } from '../terminal/width.ts'
import type { Document } from './document.ts'

export type InputRow = {
  readonly pieces: readonly { readonly text: string; readonly isMark: boolean }[]
}

export type InputLayout = {
  readonly rows: readonly InputRow[]
  readonly cursor: { readonly row: number; readonly column: number }
  /** The unit at a place, for moving up and down. */
  unitAt(row: number, column: number): number
}

type Place = { readonly row: number; readonly column: number }

/** `width` is the room for the text, without the prompt. */
export function layOut({ units, cursor }: Document, width: number): InputLayout {
  const rows: { text: string; isMark: boolean }[][] = [[]]
  const places: Place[] = []
  let column = 0
  for (const { text, mark } of units) {
    if (text === '\n' && mark === undefined) {
      places.push({ row: rows.length - 1, column })
      rows.push([])
      column = 0
      continue
    }
    const shown = visible(mark ?? text)
    const size = widthOf(shown)
    if (column > 0 && column + size > width) {
      rows.push([])
      column = 0
    }
    places.push({ row: rows.length - 1, column })
    const row = rows.at(-1)
    const last = row?.at(-1)
    const isMark = mark !== undefined
    if (row && last && last.isMark === isMark) last.text += shown
    else row?.push({ text: shown, isMark })
    column += size
  }
  // The cursor needs a free cell.
  if (column >= width && cursor === units.length) {
    rows.push([])
    column = 0
  }
  places.push({ row: rows.length - 1, column })
  return {
    rows: rows.map((pieces) => ({ pieces })),
    cursor: places[cursor] ?? { row: 0, column: 0 },
    unitAt(row, wanted) {
      let best = places.length - 1
      for (const [index, place] of places.entries()) {
        if (place.row > row) break
        if (place.row === row && (place.column <= wanted || index === 0 || places[index - 1]?.row !== row))
          best = index
      }
      return best
    },
  }
}
