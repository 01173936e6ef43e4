// Applies recorded changes to the copy, in the order in which they happened.
import type { Statements } from '../../db/pool.ts'
import type { ContentTable } from '../content-tables.ts'
import type { MoveJob } from './move-job.ts'
import { runFenced } from './move-sql.ts'
import {
  deleteChanges,
  deleteKeys,
  existingKeys,
  putRows,
  type RowChange,
  type RowKey,
  readChanges,
  readRows,
} from './rows-sql.ts'

const BATCH = 500

/** Changes of one table: rows to delete from the copy, and rows in their current state. */
type TableChanges = {
  readonly table: ContentTable
  readonly deleted: readonly RowKey[]
  readonly rows: readonly string[]
}

/** Applies a batch of changes and returns its size. One snapshot, so that the parents of a row are included. */
export function applyChanges(job: MoveJob): Promise<number> {
  return runFenced(job.source, job.fence, (tx) => applyChangesIn(tx, job), 'isolation level repeatable read')
}

/**
 * The same in a transaction that sees no concurrent changes. The copy is written first: after a failure the changes stay recorded,
 * and applying them again has no effect. While access is locked, a copy that does not answer until `until` fails the attempt; the
 * next `acquireFence` waits for its open transaction.
 */
export async function applyChangesIn(
  tx: Statements,
  job: MoveJob,
  until: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { fence, target, tables } = job
  const changes = await readChanges(tx, fence.org, BATCH)
  if (changes.length === 0) return 0
  const byTable: TableChanges[] = []
  for (const table of tables) {
    const keys = keysOf(changes, table)
    if (keys.length > 0) byTable.push(await readTableChanges(tx, job, table, keys))
  }
  const written = runFenced(target, fence, async (copy) => {
    for (const { table, deleted } of byTable.toReversed())
      await deleteKeys(copy, target.schema, table, fence.org, deleted)
    for (const { table, rows } of byTable) await putRows(copy, target.schema, table, rows)
  })
  await waitUntil(until, written)
  await deleteChanges(tx, fence.org, changes)
  return changes.length
}

/**
 * Two rows may have swapped a unique value, so all changed rows are deleted before any is written. Deleting a parent row would
 * cascade to its children, so a parent is deleted only if it no longer exists in the source.
 */
async function readTableChanges(
  tx: Statements,
  { fence, source }: MoveJob,
  table: ContentTable,
  keys: readonly RowKey[],
): Promise<TableChanges> {
  const rows = await readRows(tx, source.schema, table, fence.org, keys)
  if (!table.isParent) return { table, deleted: keys, rows }
  const existing = new Set((await existingKeys(tx, source.schema, table, fence.org, keys)).map(keyText))
  return { table, deleted: keys.filter((key) => !existing.has(keyText(key))), rows }
}

function keysOf(changes: readonly RowChange[], { name }: ContentTable): RowKey[] {
  const ofTable = changes.filter(({ table }) => table === name)
  return [...new Map(ofTable.map(({ key }) => [keyText(key), key])).values()]
}

const keyText = (key: RowKey): string => JSON.stringify(key)

/** `until` is a time of `performance.now()`. */
async function waitUntil<T>(until: number, work: Promise<T>): Promise<T> {
  if (until === Number.POSITIVE_INFINITY) return work
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error('The database of the copy did not answer in time.')),
    Math.max(0, until - performance.now()),
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
