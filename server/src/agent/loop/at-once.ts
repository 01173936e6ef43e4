// How many loops an organisation has under way, in all replicas. What a loop runs before its first turn costs nothing, so it
// must not be had in any number.
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { LEASE } from '../../kernel/lease.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { insertRun, type NewAgentRun } from '../sql.ts'
import { maxConcurrentLoops } from './limits.ts'
import * as sql from './sql.ts'

/** Stores a new loop, or refuses it when its organisation has as many as its plan allows. */
export async function admitLoop(tx: Tx, tier: string, run: NewAgentRun): Promise<void> {
  await tx.lock(`loops ${run.orgId}`)
  const silentSince = before(tx.now, LEASE)
  const most = maxConcurrentLoops(tier)
  if ((await sql.countLiveLoops(tx, run.orgId, silentSince)) >= most)
    throw new ApiError('too_many_loops', { most })
  await insertRun(tx, run)
}
