// What is read from the database once and kept in memory follows it from then on: at once when a replica tells of a change,
// and every few seconds in case nobody did. While the database is away, the last known values stay in force.
import type { Log } from '../log/log.ts'
import type { Db } from './tx.ts'

export type CacheRefresher = {
  /** Resolves when what was committed before the call has been read. Never rejects. */
  refresh(): Promise<void>
  close(): void
}

export type RefreshOptions = {
  readonly log: Log
  /** What is told of changes, and what it is called where it cannot be read. */
  readonly topic: string
  readonly everyMs: number
  /** Reads, and says how what was read comes into force: nothing comes into force, or is told of, after closing. */
  readonly read: () => Promise<() => void>
}

export function createCacheRefresher(db: Db, { log, topic, everyMs, read }: RefreshOptions): CacheRefresher {
  let closed = false
  let failing = false
  let latest: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  const timer = setInterval(refresh, everyMs).unref()
  const stopListening = db.listen(topic, () => void refresh())

  // A read that is under way may have begun before the change it is asked about, so another one follows it.
  function refresh(): Promise<void> {
    if (closed) return Promise.resolve()
    waiting ??= latest.then(() => {
      waiting = null
      latest = closed ? latest : readOrKeep()
      return latest
    })
    return waiting
  }

  async function readOrKeep(): Promise<void> {
    try {
      const enforce = await read()
      if (!closed) enforce()
      failing = false
    } catch (error) {
      if (!failing && !closed) log.warn({ err: error, topic }, 'database.cache.refresh_failed')
      failing = true
    }
  }

  return {
    refresh,
    close() {
      clearInterval(timer)
      stopListening()
      closed = true
    },
  }
}
