// Copies the tables without locking them: parents before children, one transaction per batch.

import type { ContentTable } from '../content-tables.ts'
import type { MoveJob } from './move-job.ts'
import { runFenced } from './move-sql.ts'
import { addRows, closeKeys, lastKey, nextKeys, openKeys, readRows, type SizedRowKey } from './rows-sql.ts'

const ROWS_MAX = 1_000
const BYTES_MAX = 4_000_000

/** Copies rows in key order, so an interrupted copy resumes after the last copied row. */
export async function copyTables(job: MoveJob): Promise<void> {
  for (const table of job.tables) await copyTable(job, table)
}

async function copyTable(job: MoveJob, table: ContentTable): Promise<void> {
  const { fence, source, target } = job
  const after = await runFenced(target, fence, (tx) => lastKey(tx, target.schema, table, fence.org))
  await runFenced(
    source,
    fence,
    async (reading) => {
      await openKeys(reading, source.schema, table, fence.org, after)
      let keys: SizedRowKey[]
      do {
        keys = await nextKeys(reading, ROWS_MAX)
        for (const batch of batchesOf(keys, BYTES_MAX)) {
          const rows = await readRows(reading, source.schema, table, fence.org, batch)
          // A row that cannot be added has changed since the barrier, or its parent has. The recorded changes include it.
          await runFenced(target, fence, (tx) => addRows(tx, target.schema, table, rows))
          await job.pace('copying')
        }
      } while (keys.length === ROWS_MAX)
      await closeKeys(reading)
    },
    'isolation level repeatable read',
  )
}

/** Splits keys into batches of at most `bytesMax`, in order. A larger row is a batch by itself. */
export function batchesOf(keys: readonly SizedRowKey[], bytesMax: number): SizedRowKey['key'][][] {
  const batches: SizedRowKey['key'][][] = []
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
