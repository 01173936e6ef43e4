// Deletes the rows of one organisation in batches, so that other transactions wait for one batch at most.

import type { ContentTable } from '../content-tables.ts'
import type { MoverFence, TableLocation } from '../table-location.ts'
import { runFenced } from './move-sql.ts'
import { deleteBatch } from './rows-sql.ts'

const BATCH = 5_000

/** Deletes children before parents. `pace` runs between batches and throws when the mover must stop. */
export async function clearTables(
  location: TableLocation,
  fence: MoverFence,
  tables: readonly ContentTable[],
  pace: () => Promise<void>,
): Promise<void> {
  for (const table of tables.toReversed()) {
    let deleted: number
    do {
      deleted = await runFenced(location, fence, (tx) =>
        deleteBatch(tx, location.schema, table, fence.org, BATCH),
      )
      await pace()
    } while (deleted === BATCH)
  }
}
