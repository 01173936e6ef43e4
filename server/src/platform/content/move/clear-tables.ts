// Rows of one organisation, deleted in batches: nobody who works beside waits for more than one of them.

import type { Table } from '../content-tables.ts'
import type { Site, Turn } from '../table-location.ts'
import { inTurn } from './move-sql.ts'
import { deleteSome } from './rows-sql.ts'

const ROWS_AT_ONCE = 5_000

/** Children go before their parents. `pace` is called between batches and throws where it is time to stop. */
export async function clearTables(
  site: Site,
  turn: Turn,
  tables: readonly Table[],
  pace: () => Promise<void>,
): Promise<void> {
  for (const table of tables.toReversed()) {
    let deleted: number
    do {
      deleted = await inTurn(site, turn, (tx) => deleteSome(tx, site.schema, table, turn.org, ROWS_AT_ONCE))
      await pace()
    } while (deleted === ROWS_AT_ONCE)
  }
}
