// Rate windows in the shared database.
import { present } from '../../../../kernel/assert.ts'
import { before, type Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../db/tx.ts'
import type { LeaseStore } from '../lease-store.ts'
import * as sql from './sql.ts'

/** More than the clocks of replicas differ, so that no live window is deleted. */
const SWEEP_GRACE_SECONDS = 60
const SWEEP_ROWS = 1_000
const SWEEP_ROUNDS = 50

export function createPostgresStore(db: Pick<Db, 'direct'>, clock: Clock): LeaseStore {
  return {
    async take(requests) {
      const rows = await sql.takeLeases(db.direct, requests, clock.now())
      const leases = new Map(rows.map((row) => [`${row.bucket} ${row.address}`, row]))
      return requests.map(({ bucket, address }) => {
        const row = present(leases.get(`${bucket} ${address}`), 'every request has a row')
        return { granted: row.granted, used: row.used, resetsAtMs: row.resets_at.getTime() }
      })
    },

    /** Stops at 50 000 rows. The next call deletes the rest. */
    async sweep() {
      const endedBefore = before(clock.now(), { seconds: SWEEP_GRACE_SECONDS })
      let swept = 0
      for (let round = 0; round < SWEEP_ROUNDS; round++) {
        const gone = await sql.sweepWindows(db.direct, endedBefore, SWEEP_ROWS)
        swept += gone
        if (gone < SWEEP_ROWS) break
      }
      return swept
    },

    // The application closes its database.
    close: async () => undefined,
  }
}
