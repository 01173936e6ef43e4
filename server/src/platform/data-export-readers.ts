// Keyset pagination for the lists of an export: no page skips or repeats a row.
import type { OrgId } from '../kernel/ids.ts'
import type { ExportReader } from './data-export.ts'
import type { Tx } from './db/tx.ts'
import { decodeTimeCursor, encodeCursor, type TimeCursor, toPage } from './http/page.ts'

/** A list ordered by time, then by id. */
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

// A page is held in memory. It may exceed this by one row.
const PAGE_BYTES = 1024 * 1024

/** The same for large rows: `read` also ends a page once its rows have `bytes` bytes. */
export function byTimeAndSize<T extends object>(
  read: (tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) => Promise<T[]>,
  placeOf: (row: T) => readonly [at: Date, id: string],
): ExportReader {
  return async (tx, org, after, limit) => {
    const rows = await read(tx, org, decodeTimeCursor(after ?? undefined), limit, PAGE_BYTES)
    const last = rows.at(-1)
    // A short page may have ended because of its size. Only an empty page is the last.
    return { rows, next: last === undefined ? null : encodeCursor(placeOf(last)) }
  }
}

/** A list ordered by a unique text that is never empty. */
export function byText<T extends object>(
  read: (tx: Tx, org: OrgId, after: string, limit: number) => Promise<T[]>,
  textOf: (row: T) => string,
): ExportReader {
  return async (tx, org, after, limit) => cut(await read(tx, org, after ?? '', limit + 1), limit, textOf)
}

/** The same for large rows: `read` also ends a page once its rows have `bytes` bytes. */
export function byTextAndSize<T extends object>(
  read: (tx: Tx, org: OrgId, after: string, limit: number, bytes: number) => Promise<T[]>,
  textOf: (row: T) => string,
): ExportReader {
  return async (tx, org, after, limit) => {
    const rows = await read(tx, org, after ?? '', limit, PAGE_BYTES)
    const last = rows.at(-1)
    return { rows, next: last === undefined ? null : textOf(last) }
  }
}

/** A list ordered by a number that starts at 1. */
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
