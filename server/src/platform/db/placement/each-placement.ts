// Runs housekeeping in every content placement: in the shared tables, then for each organisation with a separate placement.

import type { OrgId } from '../../../kernel/ids.ts'
import type { Log } from '../../log/log.ts'
import type { Db, TenantScope, Tx } from '../tx.ts'
import { filterIsolatedOrgs } from './placement-sql.ts'

export type SweepLimits = { readonly batchSize: number; readonly maxRounds: number }

/** Several placements in parallel, because one that does not answer delays those behind it. */
const PARALLEL_VISITS = 3

export type PlacementVisit<T> = {
  tx: Db['tx']
  /** Reads the organisations that have a separate placement now. */
  listIsolatedOrgs(): Promise<OrgId[]>
  work: (tx: Tx, scope: TenantScope) => Promise<T>
  signal: AbortSignal | undefined
  onWarning: Log['warn']
}

/** A failure in a separate placement is logged and the others continue. A failure in the shared tables is thrown at the end. */
export async function visitPlacements<T>(visit: PlacementVisit<T>): Promise<T[]> {
  const { tx, listIsolatedOrgs, work, signal, onWarning } = visit
  signal?.throwIfAborted()
  const shared = await Promise.allSettled([tx('platform', (shared) => work(shared, 'platform'))])
  // Read after the shared tables: an organisation that left them meanwhile is visited in its new placement.
  const orgs = (await listIsolatedOrgs()).values()
  const results: T[] = []
  const visitNext = async () => {
    for (const org of orgs) {
      if (signal?.aborted) return
      try {
        results.push(await tx(org, (own) => work(own, org)))
      } catch (error) {
        onWarning({ err: error, orgId: org }, 'database.housekeeping.org_skipped')
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_VISITS }, visitNext))
  signal?.throwIfAborted()
  if (shared[0].status === 'rejected') throw shared[0].reason
  return [shared[0].value, ...results]
}

/**
 * Filters the organisations whose content is in the placement that `scope` reads. Rows of the others are leftovers of a move.
 * The result holds until the end of the transaction, once the transaction has used `tx.content`.
 */
export async function filterOrgsPlacedHere(
  tx: Tx,
  scope: TenantScope,
  orgs: readonly OrgId[],
): Promise<Set<OrgId>> {
  const elsewhere = scope === 'platform' ? await filterIsolatedOrgs(tx, orgs) : []
  return new Set(orgs).difference(new Set(elsewhere))
}

/**
 * Repeats housekeeping that handles at most `batchSize` rows per placement, until every placement is done. `work` returns the
 * number of rows it handled. After `maxRounds` rounds the rest waits for the next run.
 */
export async function sweepPlacements(
  db: Pick<Db, 'forEachPlacement'>,
  { batchSize, maxRounds }: SweepLimits,
  work: (tx: Tx, scope: TenantScope) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  for (let round = 0; round < maxRounds; round++) {
    const counts = await db.forEachPlacement(work, signal)
    total += counts.reduce((sum, count) => sum + count, 0)
    if (counts.every((count) => count < batchSize)) break
  }
  return total
}
