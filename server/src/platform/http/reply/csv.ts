// CSV files that spreadsheets can open safely.
import { prefersType } from './accept.ts'

export type Cell = string | number | bigint | boolean | Date | null

/** One line by RFC 4180. An apostrophe before a text prevents spreadsheets from reading it as a formula. */
export const toCsvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

export const wantsCsv = (accept: string | string[] | undefined): boolean => prefersType(accept, 'text/csv')

function toCell(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
