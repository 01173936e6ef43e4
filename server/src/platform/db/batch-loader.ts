// Batches lookups: keys that arrive in one turn of the event loop, or while queries run, are loaded together by the next query. A turn
// adds no delay, because its statements leave at its end. Nothing is cached: each query starts after the lookups it answers.

import { gatherAtTurnEnd } from './turn-end.ts'
import type { Db } from './tx.ts'

export type BatchLoader<Key, Found> = (key: Key) => Promise<Found | undefined>

type Waiting<Key, Found> = {
  readonly key: Key
  readonly resolve: (found: Found | undefined) => void
  readonly reject: (error: unknown) => void
}

const BATCH_MAX = 256
const IN_FLIGHT_MAX = 2

/** `load` returns results in the order of its keys, with undefined for a missing one. */
export function createBatchLoader<Key, Found>(
  load: (keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>,
): BatchLoader<Key, Found> {
  let queue: Waiting<Key, Found>[] = []
  let inFlight = 0

  async function send(batch: readonly Waiting<Key, Found>[]): Promise<void> {
    try {
      const found = await load(batch.map(({ key }) => key))
      for (const [n, { resolve }] of batch.entries()) resolve(found[n])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function pump(): void {
    while (inFlight < IN_FLIGHT_MAX && queue.length > 0) {
      const batch = queue.slice(0, BATCH_MAX)
      queue = queue.slice(BATCH_MAX)
      inFlight++
      void send(batch).finally(() => {
        inFlight--
        if (queue.length > 0) gatherAtTurnEnd(pump)
      })
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (queue.push({ key, resolve, reject }) === 1) gatherAtTurnEnd(pump)
    })
}

/** One loader per database, made when it is first used. */
export function batchLoaderPerDb<Key, Found>(
  load: (db: Db, keys: readonly Key[]) => Promise<readonly (Found | undefined)[]>,
): (db: Db) => BatchLoader<Key, Found> {
  const loaders = new WeakMap<Db, BatchLoader<Key, Found>>()
  return (db) => {
    const known = loaders.get(db)
    if (known) return known
    const loader = createBatchLoader<Key, Found>((keys) => load(db, keys))
    loaders.set(db, loader)
    return loader
  }
}
