// The copy that is made at leisure: table by table, parents before children, each batch a transaction of its own.

import type { Table } from '../content-tables.ts'
import type { MoveJob } from './move-job.ts'
import { runFenced } from './move-sql.ts'
import { addRows, closeKeys, lastKey, nextKeys, openKeys, readRows, type SizedKey } from './rows-sql.ts'

const ROWS_AT_ONCE = 1_000
const BYTES_AT_ONCE = 4_000_000

/** Rows go in the order of their keys, so one that was interrupted goes on behind the last row that has arrived. */
export async function copyTables(job: MoveJob): Promise<void> {
  for (const table of job.tables) await copyTable(job, table)
}

async function copyTable(job: MoveJob, table: Table): Promise<void> {
  const { fence, source, target } = job
  const after = await runFenced(target, fence, (tx) => lastKey(tx, target.schema, table, fence.org))
  await runFenced(
    source,
    fence,
    async (reading) => {
      await openKeys(reading, source.schema, table, fence.org, after)
      let keys: SizedKey[]
      do {
        keys = await nextKeys(reading, ROWS_AT_ONCE)
        for (const batch of batchesOf(keys, BYTES_AT_ONCE)) {
          const rows = await readRows(reading, source.schema, table, fence.org, batch)
          // A row that cannot be added yet has changed since the barrier, or what it needs has: the notes know it.
          await runFenced(target, fence, (tx) => addRows(tx, target.schema, table, rows))
          await job.pace('copying')
        }
      } while (keys.length === ROWS_AT_ONCE)
      await closeKeys(reading)
    },
    'isolation level repeatable read',
  )
}

/** Keys in their order, cut where a batch would weigh more than the bound. A row that alone weighs more goes alone. */
export function batchesOf(keys: readonly SizedKey[], bytesMax: number): SizedKey['key'][][] {
  const batches: SizedKey['key'][][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const { key, sizeBytes } of keys) {
    bytes += sizeBytes
    if (bytes > bytesMax) {
      batches.push([])
      bytes = sizeBytes
    }
    batches.at(-1)?.push(key)
  }
  return batches
}
