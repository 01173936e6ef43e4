// Claims of new keys share statements. Otherwise each would be a separate commit, which waits for the disk.
import { after, type Clock } from '../../../kernel/clock.ts'
import { LEASE } from '../../../kernel/lease.ts'
import { type BatchLoader, createBatchLoader } from '../../db/batch-loader.ts'
import type { Db } from '../../db/tx.ts'
import * as sql from './sql.ts'

const batches = new WeakMap<Db, BatchLoader<sql.NewClaim, true>>()

/** Whether the key was new and is claimed now. */
export async function claimNew(db: Db, clock: Clock, asked: sql.NewClaim): Promise<boolean> {
  let claims = batches.get(db)
  if (!claims) {
    claims = createBatchLoader(async (all) => {
      const now = clock.now()
      const claimed = new Set(await sql.claimNew(db.direct, all, now, after(now, LEASE)))
      return all.map(({ id }) => (claimed.has(id) ? true : undefined))
    })
    batches.set(db, claims)
  }
  return (await claims(asked)) === true
}
