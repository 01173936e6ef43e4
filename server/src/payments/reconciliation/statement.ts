// Reads a bank statement in CSV as items that are compared like the list of a provider.
import { invalidFields } from '../../kernel/errors.ts'
import { isCurrency } from '../../kernel/money.ts'
import { minorFromMajor } from '../rails/amounts.ts'
import type { ListedItem } from '../rails/rail.ts'

export const STATEMENT_CHARACTERS_MAX = 2_000_000
const ROWS_MAX = 20_000

export const STATEMENT_COLUMNS = ['date', 'reference', 'amount', 'currency'] as const
/** The header of each column in the file. */
export type ColumnNames = Readonly<Record<(typeof STATEMENT_COLUMNS)[number], string>>

export function readStatement(csv: string, columns: ColumnNames): ListedItem[] {
  const [header, ...rows] = parseCsv(csv.replace(/^\uFEFF/, ''))
  const names = (header ?? []).map((name) => name.trim().toLowerCase())
  const indexes = STATEMENT_COLUMNS.map((column) => names.indexOf(columns[column].trim().toLowerCase()))
  const missing = STATEMENT_COLUMNS.filter((_, at) => indexes[at] === -1)
  if (missing.length > 0)
    throw invalidFields({
      path: 'csv',
      message: `has no column for ${missing.join(', ')}; name it in columns`,
    })
  if (rows.length === 0 || rows.length > ROWS_MAX)
    throw invalidFields({ path: 'csv', message: `must have 1 to ${ROWS_MAX} rows below the header` })
  const seen = new Map<string, number>()
  return rows.map((row, at) => {
    const [date = '', reference = '', amount = '', currency = ''] = indexes.map((index) => row[index]?.trim())
    const times = (seen.get(reference) ?? 0) + 1
    seen.set(reference, times)
    return readRow({ date, reference, amount, currency }, times, at + 2)
  })
}

type Row = { date: string; reference: string; amount: string; currency: string }

/** The second row of a reference is other money than the first: it belongs to no known transaction. */
function readRow({ date, reference, amount, currency: code }: Row, times: number, line: number): ListedItem {
  const at = dateOf(date)
  const currency = code.toUpperCase()
  const amountMinor = isCurrency(currency) ? minorFromMajor(amount, currency) : null
  if (!at || !/^[\x21-\x7e]{1,100}$/.test(reference) || amountMinor === null || amountMinor <= 0n)
    throw invalidFields({
      path: 'csv',
      message: `line ${line} must have a date as YYYY-MM-DD or DD/MM/YYYY, a reference, and a positive amount in a supported currency`,
    })
  const id = times === 1 ? reference : `${reference} ${times}`
  const isOurs = times === 1 && /^t[pr][a-z0-9]{26}$/.test(reference)
  return {
    ...{ kind: 'payment', id, amountMinor, currency, at, status: 'paid', live: true },
    ...{ feeMinor: null, returnKey: null },
    ...(isOurs ? { reference, transactionId: null } : { reference: null, transactionId: id }),
  }
}

function dateOf(text: string): Date | null {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? []
  const iso = year ? `${year}-${month}-${day}` : /^\d{4}-\d\d-\d\d(?=$|[T ])/.exec(text)?.[0]
  if (!iso) return null
  const date = new Date(`${iso}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? date : null
}

/** RFC 4180, with commas or semicolons. Empty lines are left out. */
function parseCsv(text: string): string[][] {
  const separator = /^[^\n]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ','
  const rows: string[][] = []
  let row: string[] = []
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"${separator}\\r\\n]*)(${separator}|\\r?\\n|$)`, 'y')
  for (let end = 0; end < text.length; end = cell.lastIndex) {
    cell.lastIndex = end
    const [whole, value = '', after = ''] = cell.exec(text) ?? []
    if (whole === undefined)
      throw invalidFields({
        path: 'csv',
        message: `has an invalid quotation mark in line ${rows.length + 1}`,
      })
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (after === separator) continue
    if (row.some((each) => each.trim() !== '')) rows.push(row)
    row = []
  }
  return rows
}
