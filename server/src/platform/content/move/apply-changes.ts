// Changes that were noted while the copy was made, brought to it in the order in which they happened.
import type { Statements } from '../../db/pool.ts'
import type { Table } from '../content-tables.ts'
import type { MoveJob } from './move-job.ts'
import { runFenced } from './move-sql.ts'
import {
  type Change,
  deleteChanges,
  deleteKeys,
  existingKeys,
  type Key,
  putRows,
  readChanges,
  readRows,
} from './rows-sql.ts'

const CHANGES_AT_ONCE = 500

/** What changed in one table: rows that leave the copy, and rows as they are now. */
type Changed = {
  readonly table: Table
  readonly leaving: readonly Key[]
  readonly rows: readonly string[]
}

/** Follows some changes and says how many. All is read as of one instant: what a row refers to is there as well. */
export function applyChanges(job: MoveJob): Promise<number> {
  return runFenced(job.source, job.fence, (tx) => applyChangesIn(tx, job), 'isolation level repeatable read')
}

/**
 * The same in a transaction that sees nobody else's changes. The copy is written first: if the rest fails the changes stay
 * noted, and to follow them again changes nothing. Where others are kept waiting, a copy that does not answer until `until`
 * is given up on; whatever it still does, the next fence waits for.
 */
export async function applyChangesIn(
  tx: Statements,
  job: MoveJob,
  until: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { fence, target, tables } = job
  const changes = await readChanges(tx, fence.org, CHANGES_AT_ONCE)
  if (changes.length === 0) return 0
  const changed: Changed[] = []
  for (const table of tables) {
    const keys = keysOf(changes, table)
    if (keys.length > 0) changed.push(await readChanged(tx, job, table, keys))
  }
  const written = runFenced(target, fence, async (copy) => {
    for (const { table, leaving } of changed.toReversed())
      await deleteKeys(copy, target.schema, table, fence.org, leaving)
    for (const { table, rows } of changed) await putRows(copy, target.schema, table, rows)
  })
  await by(until, written)
  await deleteChanges(tx, fence.org, changes)
  return changes.length
}

/**
 * Two rows may have exchanged what only one of them can have, so all rows leave before any comes back. A row that others refer
 * to would take those along: it leaves only if it is gone.
 */
async function readChanged(
  tx: Statements,
  { fence, source }: MoveJob,
  table: Table,
  keys: readonly Key[],
): Promise<Changed> {
  const rows = await readRows(tx, source.schema, table, fence.org, keys)
  if (!table.isParent) return { table, leaving: keys, rows }
  const there = new Set((await existingKeys(tx, source.schema, table, fence.org, keys)).map(nameOf))
  return { table, leaving: keys.filter((key) => !there.has(nameOf(key))), rows }
}

function keysOf(changes: readonly Change[], { name }: Table): Key[] {
  const ofTable = changes.filter(({ table }) => table === name)
  return [...new Map(ofTable.map(({ key }) => [nameOf(key), key])).values()]
}

const nameOf = (key: Key): string => JSON.stringify(key)

/** Times are those of `performance.now()`. */
async function by<T>(until: number, work: Promise<T>): Promise<T> {
  if (until === Number.POSITIVE_INFINITY) return work
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error('the copy did not answer in time')),
    Math.max(0, until - performance.now()),
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
