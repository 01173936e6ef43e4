// Housekeeping of content, one place after the other.
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, Reach, Tx } from './tx.ts'

export type Rounds = { readonly atOnce: number; readonly roundsMax: number }

/** A place that fails is told of, and the others are served; that of the many fails the whole, after the others. */
export async function visitPlaces<T>(
  tx: Db['tx'],
  orgs: readonly OrgId[],
  work: (tx: Tx, reach: Reach) => Promise<T>,
  onWarning: (message: string) => void,
): Promise<T[]> {
  const shared = await Promise.allSettled([tx('platform', (shared) => work(shared, 'platform'))])
  const results: T[] = []
  for (const org of orgs) {
    try {
      results.push(await tx(org, (own) => work(own, org)))
    } catch (error) {
      onWarning(`the content of ${org} was left out: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (shared[0].status === 'rejected') throw shared[0].reason
  return [shared[0].value, ...results]
}

/**
 * Repeats housekeeping that does at most `atOnce` in each place, until it has nothing more to do anywhere. `work` says how much
 * it did. What is left after `roundsMax` rounds waits for the next time.
 */
export async function everyPlaceInRounds(
  db: Pick<Db, 'everyPlace'>,
  { atOnce, roundsMax }: Rounds,
  work: (tx: Tx, reach: Reach) => Promise<number>,
): Promise<number> {
  let done = 0
  for (let round = 0; round < roundsMax; round++) {
    const counts = await db.everyPlace(work)
    done += counts.reduce((sum, count) => sum + count, 0)
    if (counts.every((count) => count < atOnce)) break
  }
  return done
}
