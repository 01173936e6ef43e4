// CSV files that spreadsheets can open safely.

export type Cell = string | number | bigint | boolean | Date | null

/** One line by RFC 4180. An apostrophe before a text prevents spreadsheets from reading it as a formula. */
export const toCsvLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

/** Whether `Accept` names CSV before JSON. A browser, which accepts any type, gets JSON. */
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
