// The live region: the last rows of the output, redrawn in place. Computes the bytes from one frame to the next. Moves are
// relative to the region, because its place on the screen is unknown; nothing above it is ever touched.
import { BLANK, isSameRow, paintCells, type Row, sharedEnd, sharedStart, toRow, widthOfCells } from './row.ts'

export type Frame = {
  /** Rows that leave the region for the history, above the new ones. */
  readonly finished: readonly Row[]
  readonly rows: readonly Row[]
  /** Where the user types; null hides the cursor. */
  readonly cursor: Place | null
}

type Place = { readonly row: number; readonly column: number }
export type Size = { readonly columns: number; readonly rows: number }

const HIDE = '\x1b[?25l'
const SHOW = '\x1b[?25h'
const ERASE_LINE_END = '\x1b[K'
const ERASE_BELOW = '\x1b[J'
const SYNC_START = '\x1b[?2026h'
const SYNC_END = '\x1b[?2026l'
/** Smaller frames are one packet anyway. */
const SYNC_BYTES_MIN = 200

export class Region {
  #rows: readonly Row[] = [BLANK]
  #at: Place = { row: 0, column: 0 }
  #isHidden = false
  readonly #isSynchronized: boolean

  constructor({ isSynchronized }: { isSynchronized: boolean }) {
    this.#isSynchronized = isSynchronized
  }

  /** The bytes that turn the shown frame into this one; empty if nothing changed. */
  frame({ finished, rows, cursor }: Frame, size: Size): string {
    const live = rows.length === 0 ? [BLANK] : rows
    const next = [...finished, ...live]
    const changes = this.#change(next, size)
    const place = cursor && { row: cursor.row + finished.length, column: cursor.column }
    let written = changes
    // A cursor that jumps over the screen flickers.
    if (changes.length >= SYNC_BYTES_MIN && !this.#isHidden && !this.#isSynchronized) {
      written = HIDE + written
      this.#isHidden = true
    }
    written += this.#setCursor(place, next)
    this.#rows = live
    this.#at = { ...this.#at, row: this.#at.row - finished.length }
    return this.#isSynchronized && written.length >= SYNC_BYTES_MIN
      ? SYNC_START + written + SYNC_END
      : written
  }

  /** Removes the region and leaves the cursor at its start. */
  erase(): string {
    const written = `${this.#move({ row: 0, column: 0 })}${ERASE_BELOW}${this.#isHidden ? SHOW : ''}`
    this.#forget()
    return written
  }

  /** Removes the region after the width of the terminal changed. `reflows`: the terminal wraps old rows again. */
  eraseAfterResize({ columns, rows }: Size, reflows: boolean): string {
    const heightOf = (row: Row) => (reflows ? Math.max(1, Math.ceil(row.width / columns)) : 1)
    const above = this.#rows.slice(0, this.#at.row).reduce((sum, row) => sum + heightOf(row), 0)
    // After the last cell of a full row the cursor still belongs to that row.
    const isAtEnd = this.#at.column > 0 && this.#at.column === this.#rows[this.#at.row]?.width
    const within = reflows ? Math.floor((this.#at.column - (isAtEnd ? 1 : 0)) / columns) : 0
    const up = Math.min(above + within, rows - 1)
    const written = `${up > 0 ? `\x1b[${up}A` : ''}\r${ERASE_BELOW}${this.#isHidden ? SHOW : ''}`
    this.#forget()
    return written
  }

  #forget(): void {
    this.#rows = [BLANK]
    this.#at = { row: 0, column: 0 }
    this.#isHidden = false
  }

  #change(next: readonly Row[], size: Size): string {
    const old = this.#rows
    const least = Math.min(old.length, next.length)
    let start = 0
    while (start < least && isSameRow(old[start] ?? BLANK, next[start] ?? BLANK)) start++
    if (start === old.length && start === next.length) return ''
    let end = 0
    while (end < least - start && isSameRow(old.at(-1 - end) ?? BLANK, next.at(-1 - end) ?? BLANK)) end++
    // Rows that scroll away cannot be reached again, and continued rows must be written in one go.
    const isFlowing =
      end === 0 || next.length >= size.rows || next.slice(start).some(({ isContinued }) => isContinued)
    return isFlowing ? this.#writeFrom(start, next) : this.#shift(start, end, next)
  }

  /** Writes all rows from `start` on, one after the other. */
  #writeFrom(start: number, next: readonly Row[]): string {
    const old = this.#rows
    let written = ''
    for (let index = start; index < next.length; index++) {
      const row = next[index] ?? BLANK
      if (index < old.length) {
        // Writing over the row keeps what has not changed.
        written += this.#rewrite(index, old[index] ?? BLANK, row)
      } else {
        const before = next[index - 1] ?? BLANK
        const isWrapping =
          before.isContinued && this.#at.row === index - 1 && this.#at.column === before.width
        if (!isWrapping) written += `${this.#move({ row: index - 1, column: this.#at.column })}\r\n`
        written += paintCells(row.cells)
      }
      this.#at = index < old.length ? this.#at : { row: index, column: row.width }
    }
    if (next.length < old.length) {
      // The last row itself stays.
      const last = next.length - 1
      written += `${this.#move({ row: last + 1, column: 0 })}${ERASE_BELOW}`
    }
    return written
  }

  /** Keeps the last rows, which only move up or down. */
  #shift(start: number, end: number, next: readonly Row[]): string {
    const old = this.#rows
    const more = next.length - old.length
    const same = Math.min(old.length, next.length) - end
    let written = ''
    if (more > 0) {
      // New rows at the bottom scroll the screen if they must; then the region moves down into them.
      written += this.#move({ row: old.length - 1, column: this.#at.column }) + '\r\n'.repeat(more)
      this.#at = { row: next.length - 1, column: 0 }
      written += `${this.#move({ row: same, column: 0 })}\x1b[${more > 1 ? more : ''}L`
    } else if (more < 0) {
      written += `${this.#move({ row: same, column: 0 })}\x1b[${more < -1 ? -more : ''}M`
    }
    for (let index = start; index < next.length - end; index++)
      written += this.#rewrite(index, index < same ? (old[index] ?? BLANK) : BLANK, next[index] ?? BLANK)
    return written
  }

  /** Writes the part of a row that changed. */
  #rewrite(index: number, old: Row, row: Row): string {
    if (isSameRow(old, row)) return ''
    const isUncertain = old.isUncertain || row.isUncertain
    const start = isUncertain ? 0 : sharedStart(old, row)
    const end = isUncertain || old.width !== row.width ? 0 : sharedEnd(old, row, start)
    const column = widthOfCells(row.cells.slice(0, start))
    const cells = row.cells.slice(start, row.cells.length - end)
    let written = this.#move({ row: index, column })
    // The old row may be longer on the screen than expected.
    if (isUncertain) written += ERASE_LINE_END
    written += paintCells(cells)
    this.#at = { row: index, column: column + widthOfCells(cells) }
    return !isUncertain && old.width > row.width ? written + ERASE_LINE_END : written
  }

  #setCursor(place: Place | null, rows: readonly Row[]): string {
    if (!place) {
      if (this.#isHidden) return ''
      this.#isHidden = true
      return HIDE
    }
    const row = rows[place.row]
    let written: string
    if (row?.isUncertain) {
      // The terminal counts the columns: write the row up to the cursor again.
      written = `${this.#move({ row: place.row, column: 0 })}${paintCells(startOf(row, place.column).cells)}`
      this.#at = place
    } else written = this.#move(place)
    if (!this.#isHidden) return written
    this.#isHidden = false
    return written + SHOW
  }

  #move({ row, column }: Place): string {
    const { row: fromRow, column: fromColumn } = this.#at
    const rows = row - fromRow
    let written = rows === 0 ? '' : `\x1b[${Math.abs(rows) > 1 ? Math.abs(rows) : ''}${rows > 0 ? 'B' : 'A'}`
    if (column === 0 && fromColumn !== 0) written += '\r'
    else if (column !== fromColumn) written += `\x1b[${column + 1}G`
    this.#at = { row, column }
    return written
  }
}

function startOf(row: Row, column: number): Row {
  let [count, used] = [0, 0]
  while (count < row.cells.length && used < column) used += row.cells[count++]?.width ?? 0
  return toRow(row.cells.slice(0, count))
}
