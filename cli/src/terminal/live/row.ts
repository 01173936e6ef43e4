// Rows of the terminal as cells. The only place that emits colour and link codes for a session.
import { graphemesOf } from '../graphemes.ts'
import type { Line, Span } from '../line.ts'
import { codeOf, type Theme } from '../theme.ts'
import { visible } from '../visible.ts'
import { widthOf } from '../width.ts'
import { wrap } from '../wrap.ts'

export type Cell = {
  readonly text: string
  readonly width: number
  /** Parameters of the colour code; empty for none. */
  readonly code: string
  /** A web address; empty for none. */
  readonly link: string
}

export type Row = {
  readonly cells: readonly Cell[]
  readonly width: number
  /** The terminal continues on the next row by itself, so that copied text stays one line. */
  readonly isContinued: boolean
  /** Terminals disagree about the width of some characters in it. */
  readonly isUncertain: boolean
}

export type Paint = { readonly theme: Theme; readonly hasLinks: boolean }

export const BLANK: Row = { cells: [], width: 0, isContinued: false, isUncertain: false }

/** Joined emoji, emoji variants, flags and skin tones. */
const UNCERTAIN = /[\u200d\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u
/** Only web addresses without anything a terminal could misread. */
const LINK = /^https?:\/\/[\x21-\x7e]{1,2000}$/

/** Text without anything that could act on a terminal. */
const safeSpans = (line: Line): Span[] =>
  (typeof line === 'string' ? [line] : line).map((part) =>
    typeof part === 'string' ? { text: visible(part) } : { ...part, text: visible(part.text) },
  )

/** The rows of a line: wrapped at spaces, and longer words at the edge. The last column stays free for words. */
export const rowsOf = (line: Line, columns: number, paint: Paint): Row[] =>
  wrap(safeSpans(line), columns - 1).flatMap((each) => split(cellsOf(each, paint), columns))

/** The rows of a line that is already wrapped. */
export const rowsOfWrapped = (line: Line, columns: number, paint: Paint): Row[] =>
  split(cellsOf(safeSpans(line), paint), columns)

/** One row, cut at the edge. */
export function rowOf(line: Line, width: number, paint: Paint): Row {
  const cells = cellsOf(safeSpans(line), paint)
  const all = toRow(cells)
  if (all.width <= width) return all
  const kept: Cell[] = []
  let used = 1
  for (const cell of cells) {
    used += cell.width
    if (used > width) break
    kept.push(cell)
  }
  return toRow(width > 0 ? [...kept, { text: '…', width: 1, code: '', link: '' }] : [])
}

function cellsOf(line: Line, { theme, hasLinks }: Paint): Cell[] {
  const cells: Cell[] = []
  for (const part of typeof line === 'string' ? [line] : line) {
    const span: Span = typeof part === 'string' ? { text: part } : part
    const code = codeOf(theme, span.style)
    const link = hasLinks && span.link !== undefined && LINK.test(span.link) ? span.link : ''
    for (const text of graphemesOf(span.text)) {
      const width = widthOf(text)
      const last = cells.at(-1)
      // A mark without a letter joins the cell before it.
      if (width === 0 && last) cells[cells.length - 1] = { ...last, text: last.text + text }
      else cells.push({ text, width, code, link })
    }
  }
  return cells
}

export function toRow(cells: readonly Cell[], isContinued = false): Row {
  let width = 0
  let isUncertain = false
  for (const cell of cells) {
    width += cell.width
    isUncertain ||= cell.text.length > 1 && UNCERTAIN.test(cell.text)
  }
  return { cells, width, isContinued, isUncertain }
}

function split(cells: readonly Cell[], width: number): Row[] {
  const rows: Row[] = []
  let current: Cell[] = []
  let used = 0
  for (const cell of cells) {
    if (used + cell.width > width && current.length > 0) {
      rows.push(toRow(current, used === width))
      current = []
      used = 0
    }
    current.push(cell)
    used += cell.width
  }
  rows.push(toRow(current))
  return rows
}

const isSame = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.text === other.text &&
  one.code === other.code &&
  one.link === other.link

/** The number of equal cells at the start. */
export function sharedStart(one: Row, other: Row): number {
  let count = 0
  while (count < one.cells.length && isSame(one.cells[count], other.cells[count])) count++
  return count
}

/** The number of equal cells at the end, after `start` equal ones. */
export function sharedEnd(one: Row, other: Row, start: number): number {
  let count = 0
  const most = Math.min(one.cells.length, other.cells.length) - start
  while (count < most && isSame(one.cells.at(-1 - count), other.cells.at(-1 - count))) count++
  return count
}

export const isSameRow = (one: Row, other: Row): boolean =>
  one === other || (one.cells.length === other.cells.length && sharedStart(one, other) === one.cells.length)

export const widthOfCells = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { width }) => sum + width, 0)

/** The text of cells with their codes, which end with it. */
export function paintCells(cells: readonly Cell[]): string {
  let text = ''
  let code = ''
  let link = ''
  for (const cell of cells) {
    if (cell.link !== link) text += `\x1b]8;;${cell.link}\x1b\\`
    if (cell.code !== code)
      text += cell.code === '' ? '\x1b[m' : `\x1b[${code === '' ? '' : '0;'}${cell.code}m`
    text += cell.text
    ;({ code, link } = cell)
  }
  if (link !== '') text += '\x1b]8;;\x1b\\'
  return code === '' ? text : `${text}\x1b[m`
}
