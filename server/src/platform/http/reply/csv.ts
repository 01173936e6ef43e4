// Tables as files that spreadsheets open, without giving them orders.

export type Cell = string | number | bigint | boolean | Date | null

/** One line by RFC 4180. A text that a spreadsheet would take for a formula is made plain by an apostrophe. */
export const toCsvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

/** Whether the caller asked for CSV before JSON, so that a browser's list of everything still gets JSON. */
export function wantsCsv(accept: string | string[] | undefined): boolean {
  const types = String(accept ?? '')
    .toLowerCase()
    .split(',')
    .map((type) => type.split(';')[0]?.trim())
  const csv = types.indexOf('text/csv')
  const json = types.indexOf('application/json')
  return csv >= 0 && (json < 0 || csv < json)
}

function toCell(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
