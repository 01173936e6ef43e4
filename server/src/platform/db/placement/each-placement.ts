// Housekeeping of content, place by place.

import type { OrgId } from '../../../kernel/ids.ts'
import type { Log } from '../../log/log.ts'
import type { Db, TenantScope, Tx } from '../tx.ts'
import { filterIsolatedOrgs } from './placement-sql.ts'

export type SweepLimits = { readonly batchSize: number; readonly maxRounds: number }

/** One that does not answer keeps the next ones waiting, so several are visited at once. */
const PLACES_AT_ONCE = 3

export type PlacementVisit<T> = {
  tx: Db['tx']
  /** Who has a place of their own by now. */
  listIsolatedOrgs(): Promise<OrgId[]>
  work: (tx: Tx, reach: TenantScope) => Promise<T>
  signal: AbortSignal | undefined
  onWarning: Log['warn']
}

/** A place that fails is told of, and the others are served; that of the many fails the whole, after the others. */
export async function visitPlacements<T>({
  tx,
  listIsolatedOrgs: readPlaces,
  work,
  signal,
  onWarning,
}: PlacementVisit<T>): Promise<T[]> {
  signal?.throwIfAborted()
  const shared = await Promise.allSettled([tx('platform', (shared) => work(shared, 'platform'))])
  // Read after the shared ones were served: who left them meanwhile is served there.
  const orgs = (await readPlaces()).values()
  const results: T[] = []
  const visitInTurn = async () => {
    for (const org of orgs) {
      if (signal?.aborted) return
      try {
        results.push(await tx(org, (own) => work(own, org)))
      } catch (error) {
        onWarning({ err: error, orgId: org }, 'database.housekeeping.org_skipped')
      }
    }
  }
  await Promise.all(Array.from({ length: PLACES_AT_ONCE }, visitInTurn))
  signal?.throwIfAborted()
  if (shared[0].status === 'rejected') throw shared[0].reason
  return [shared[0].value, ...results]
}

/**
 * Tells which of these organisations have their content where work with this reach finds it. Of the others it finds what a move
 * has left behind. The answer holds until the transaction ends, once it has come to content.
 */
export async function filterOrgsPlacedHere(
  tx: Tx,
  reach: TenantScope,
  orgs: readonly OrgId[],
): Promise<Set<OrgId>> {
  const elsewhere = reach === 'platform' ? await filterIsolatedOrgs(tx, orgs) : []
  return new Set(orgs).difference(new Set(elsewhere))
}

/**
 * Repeats housekeeping that does at most `atOnce` in each place, until it has nothing more to do anywhere. `work` says how much
 * it did. What is left after `roundsMax` rounds waits for the next time.
 */
export async function sweepPlacements(
  db: Pick<Db, 'forEachPlacement'>,
  { batchSize: atOnce, maxRounds: roundsMax }: SweepLimits,
  work: (tx: Tx, reach: TenantScope) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let done = 0
  for (let round = 0; round < roundsMax; round++) {
    const counts = await db.forEachPlacement(work, signal)
    done += counts.reduce((sum, count) => sum + count, 0)
    if (counts.every((count) => count < atOnce)) break
  }
  return done
}
