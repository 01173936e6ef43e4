// Keyset pagination: a page neither skips nor repeats rows during concurrent writes.
import { invalidFields } from '../../kernel/errors.ts'

const SEPARATOR = '\u001f'

/** Takes `limit + 1` rows and returns a page of `limit` with the cursor of the next page. */
export function toPage<T>(
  rows: T[],
  limit: number,
  keyOf: (row: T) => readonly (string | number | bigint | Date)[],
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

export function encodeCursor(parts: readonly (string | number | bigint | Date)[]): string {
  return Buffer.from(
    parts.map((part) => (part instanceof Date ? part.toISOString() : String(part))).join(SEPARATOR),
  ).toString('base64url')
}

/** The parts of a cursor; null without one. An invalid cursor is a 400. */
export function decodeCursor(cursor: string | undefined, parts: number): string[] | null {
  if (cursor === undefined) return null
  const decoded = Buffer.from(cursor, 'base64url').toString('utf8').split(SEPARATOR)
  const sane = decoded.length === parts && decoded.every((part) => /^[\x20-\x7e]{1,100}$/.test(part))
  if (!sane)
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this list; start without one' })
  return decoded
}

export type TimeCursor = { readonly at: Date; readonly id: string }
const START: TimeCursor = { at: new Date(0), id: '' }

/** The start of the next page of a list that is ordered by time and then id, ascending. */
export function decodeTimeCursor(cursor: string | undefined): TimeCursor {
  const parts = decodeCursor(cursor, 2)
  if (!parts) return START
  const [at = '', id = ''] = parts
  const isInstant =
    /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && !Number.isNaN(Date.parse(at))
  if (!isInstant)
    throw invalidFields({ path: 'cursor', message: 'is not a cursor of this list; start without one' })
  return { at: new Date(at), id }
}
