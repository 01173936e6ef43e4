// How lists of an export go on from page to page: by a place in their order, so that no page skips or repeats a row.
import type { OrgId } from '../kernel/ids.ts'
import type { ExportReader } from './data-export.ts'
import type { Tx } from './db/tx.ts'
import { decodeTimeCursor, encodeCursor, type TimeCursor, toPage } from './http/page.ts'

/** A list ordered by an instant and then by a name. */
export function byTime<T extends object>(
  read: (tx: Tx, org: OrgId, after: TimeCursor, limit: number) => Promise<T[]>,
  placeOf: (row: T) => readonly [at: Date, id: string],
): ExportReader {
  return async (tx, org, after, limit) => {
    const { items, nextCursor } = toPage(
      await read(tx, org, decodeTimeCursor(after ?? undefined), limit + 1),
      limit,
      placeOf,
    )
    return { rows: items, next: nextCursor }
  }
}

// With one row more at most: a page is held in memory.
const PAGE_BYTES = 1024 * 1024

/** The same for rows that can be large: `read` also ends a page once the rows before have so many bytes. */
export function byTimeAndSize<T extends object>(
  read: (tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) => Promise<T[]>,
  placeOf: (row: T) => readonly [at: Date, id: string],
): ExportReader {
  return async (tx, org, after, limit) => {
    const rows = await read(tx, org, decodeTimeCursor(after ?? undefined), limit, PAGE_BYTES)
    const last = rows.at(-1)
    // How full a page is does not say whether it is the last: only an empty one is.
    return { rows, next: last === undefined ? null : encodeCursor(placeOf(last)) }
  }
}

/** A list ordered by a text of its own, which is never empty. */
export function byText<T extends object>(
  read: (tx: Tx, org: OrgId, after: string, limit: number) => Promise<T[]>,
  textOf: (row: T) => string,
): ExportReader {
  return async (tx, org, after, limit) => cut(await read(tx, org, after ?? '', limit + 1), limit, textOf)
}

/** A list ordered by a number that begins with 1. */
export function bySeq<T extends { seq: bigint }>(
  read: (tx: Tx, org: OrgId, after: bigint, limit: number) => Promise<T[]>,
): ExportReader {
  return async (tx, org, after, limit) =>
    cut(await read(tx, org, BigInt(after ?? 0), limit + 1), limit, ({ seq }) => String(seq))
}

function cut<T extends object>(found: T[], limit: number, placeOf: (row: T) => string) {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last !== undefined ? placeOf(last) : null }
}
