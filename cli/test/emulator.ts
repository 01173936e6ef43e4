// A small terminal in memory: the codes we use, the scrolled rows, and what a window change does.
import { widthOf } from '../src/terminal/width.ts'

export type Emulator = {
  feed(text: string): void
  /** All rows, the scrolled ones first, up to the cursor or the last row with text. */
  text(): string
  /** The rows of the window. */
  window(): string[]
  cursor(): { row: number; column: number; isShown: boolean }
  resize(columns: number, rows: number): void
  /** Codes that a terminal of ours must never receive. */
  readonly unknown: string[]
  readonly modes: ReadonlySet<string>
}

type Cell = string
/** A row of cells; a wide character is followed by an empty cell. `wraps`: the next row continues it. */
type Row = { cells: Cell[]; wraps: boolean }

const SEQUENCE = /^\x1b(?:\[([?]?)([\d;]*)([A-Za-z])|\]([^\x07\x1b]*)(?:\x07|\x1b\\)|([78]))/
const STYLE = /^[\d;]*$/

export function createEmulator(columns = 80, rows = 24, { reflows = true } = {}): Emulator {
  let size = { columns, rows }
  let lines: Row[] = [{ cells: [], wraps: false }]
  /** The first row of the window. */
  let top = 0
  let at = { row: 0, column: 0 }
  let isPending = false
  let held = ''
  const unknown: string[] = []
  const modes = new Set<string>(['?25'])

  const rowAt = (index: number): Row => {
    while (lines.length <= index) lines.push({ cells: [], wraps: false })
    return lines[index] as Row
  }
  const lineFeed = () => {
    at = { ...at, row: at.row + 1 }
    rowAt(at.row)
    if (at.row - top >= size.rows) top = at.row - size.rows + 1
    isPending = false
  }
  const trim = (cells: Cell[]) => {
    while (cells.length > 0 && cells.at(-1) === '') cells.pop()
  }

  function put(character: string): void {
    const width = widthOf(character)
    const row = rowAt(at.row)
    if (width === 0) {
      const before = isPending ? at.column : at.column - 1
      const index = row.cells[before] === '' ? before - 1 : before
      if (index >= 0) row.cells[index] = (row.cells[index] ?? ' ') + character
      return
    }
    if (isPending || at.column + width > size.columns) {
      row.wraps = true
      lineFeed()
      at.column = 0
    }
    const { cells } = rowAt(at.row)
    while (cells.length < at.column) cells.push(' ')
    cells[at.column] = character
    if (width === 2) cells[at.column + 1] = ''
    at.column += width
    if (at.column >= size.columns) {
      at.column = size.columns - 1
      isPending = true
    }
  }

  function control(prefix: string, parameters: string, final: string, whole: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1)
    const bottom = top + size.rows
    if (final !== 'm' && final !== 'h' && final !== 'l') isPending = false
    if (prefix === '?') {
      if (final === 'h') modes.add(`?${parameters}`)
      else if (final === 'l') modes.delete(`?${parameters}`)
      else unknown.push(whole)
    } else if (final === 'm' && STYLE.test(parameters)) return
    else if (final === 'A') at.row = Math.max(top, at.row - count)
    else if (final === 'B') at.row = Math.min(bottom - 1, at.row + count)
    else if (final === 'G') at.column = Math.min(size.columns - 1, count - 1)
    else if (final === 'K') {
      const row = rowAt(at.row)
      if (parameters === '2') row.cells = []
      else row.cells.length = Math.min(row.cells.length, at.column)
      row.wraps = false
    } else if (final === 'J' && parameters === '') {
      const row = rowAt(at.row)
      row.cells.length = Math.min(row.cells.length, at.column)
      row.wraps = false
      lines.length = Math.min(lines.length, at.row + 1)
    } else if (final === 'L') {
      for (let left = count; left > 0; left--) lines.splice(at.row, 0, { cells: [], wraps: false })
      lines.length = Math.min(lines.length, bottom)
    } else if (final === 'M') lines.splice(at.row, count)
    else if (final === 't') return
    else unknown.push(whole)
    rowAt(at.row)
  }

  function feed(text: string): void {
    let rest = held + text
    held = ''
    while (rest !== '') {
      const first = rest[0] ?? ''
      if (first === '\x1b') {
        const [whole, prefix = '', parameters = '', final, title] = SEQUENCE.exec(rest) ?? []
        if (whole === undefined) {
          if (rest.length < 64) {
            held = rest
            return
          }
          unknown.push(rest.slice(0, 10))
          rest = rest.slice(1)
          continue
        }
        if (final !== undefined) control(prefix, parameters, final, whole)
        else if (title === undefined || !/^(?:0;cowrie$|8;;)/.test(title)) unknown.push(whole)
        rest = rest.slice(whole.length)
      } else if (first === '\r') {
        at.column = 0
        isPending = false
        rest = rest.slice(1)
      } else if (first === '\n') {
        // As the driver of a terminal does it.
        lineFeed()
        at.column = 0
        rest = rest.slice(1)
      } else {
        const [character = ''] = rest
        if (/[\x00-\x1f\x7f-\x9f]/.test(character)) {
          if (character !== '\x07') unknown.push(character)
        } else put(character)
        rest = rest.slice(character.length)
      }
    }
  }

  const shown = ({ cells }: Row) => Array.from(cells, (cell) => cell ?? ' ').join('')

  function resize(nextColumns: number, nextRows: number): void {
    if (reflows && nextColumns !== size.columns) reflow(nextColumns)
    else if (nextColumns < size.columns)
      for (const row of lines.slice(top)) row.cells.length = Math.min(row.cells.length, nextColumns)
    size = { columns: nextColumns, rows: nextRows }
    at.column = Math.min(at.column, nextColumns - 1)
    isPending = false
    for (const row of lines) trim(row.cells)
    const last = Math.max(at.row, lines.length - 1)
    top = Math.max(0, Math.min(at.row, Math.max(top, last - nextRows + 1)))
    if (at.row - top >= nextRows) top = at.row - nextRows + 1
  }

  function reflow(nextColumns: number): void {
    const next: Row[] = []
    let place = at
    for (let index = 0; index < lines.length; index++) {
      const cells: Cell[] = []
      let cursor = -1
      for (;;) {
        const row = rowAt(index)
        if (index === at.row) cursor = cells.length + at.column + (isPending ? 1 : 0)
        cells.push(...Array.from(row.cells, (cell) => cell ?? ' '))
        if (!row.wraps || index + 1 >= lines.length) break
        index++
      }
      const start = next.length
      for (let from = 0; from === 0 || from < cells.length; from += nextColumns)
        next.push({ cells: cells.slice(from, from + nextColumns), wraps: from + nextColumns < cells.length })
      if (cursor >= 0) {
        const isAtEnd = cursor > 0 && cursor === cells.length
        const row = Math.floor((cursor - (isAtEnd ? 1 : 0)) / nextColumns)
        place = { row: start + row, column: cursor - row * nextColumns }
        while (next.length <= place.row) next.push({ cells: [], wraps: false })
      }
    }
    lines = next
    at = place
  }

  return {
    feed,
    text() {
      const all = lines.map(shown)
      while (all.length > at.row + 1 && all.at(-1) === '') all.pop()
      return all.join('\n')
    },
    window: () =>
      Array.from({ length: size.rows }, (_, index) =>
        shown(lines[top + index] ?? { cells: [], wraps: false }),
      ),
    cursor: () => ({ row: at.row - top, column: at.column, isShown: modes.has('?25') }),
    resize,
    unknown,
    modes,
  }
}
