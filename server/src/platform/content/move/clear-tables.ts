// Rows of one organisation, deleted in batches: nobody who works beside waits for more than one of them.

import type { Table } from '../content-tables.ts'
import type { MoverFence, TableLocation } from '../table-location.ts'
import { runFenced } from './move-sql.ts'
import { deleteBatch } from './rows-sql.ts'

const ROWS_AT_ONCE = 5_000

/** Children go before their parents. `pace` is called between batches and throws where it is time to stop. */
export async function clearTables(
  location: TableLocation,
  fence: MoverFence,
  tables: readonly Table[],
  pace: () => Promise<void>,
): Promise<void> {
  for (const table of tables.toReversed()) {
    let deleted: number
    do {
      deleted = await runFenced(location, fence, (tx) =>
        deleteBatch(tx, location.schema, table, fence.org, ROWS_AT_ONCE),
      )
      await pace()
    } while (deleted === ROWS_AT_ONCE)
  }
}
