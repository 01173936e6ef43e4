// Refreshes an in-memory copy of database rows: on a notification of a change, and periodically in case one was lost. While the
// database is down, the last values stay in use.
import type { Log } from '../log/log.ts'
import type { Db } from './tx.ts'

export type CacheRefresher = {
  /** Resolves when everything that was committed before the call has been read. Never rejects. */
  refresh(): Promise<void>
  close(): void
}

export type RefreshOptions = {
  readonly log: Log
  /** The topic of the notifications, also named in the log when a read fails. */
  readonly topic: string
  readonly everyMs: number
  /** Reads the rows and returns a function that applies them. After `close` nothing is applied or logged. */
  readonly read: () => Promise<() => void>
}

export function createCacheRefresher(db: Db, { log, topic, everyMs, read }: RefreshOptions): CacheRefresher {
  let closed = false
  let failing = false
  let latest: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  const timer = setInterval(refresh, everyMs).unref()
  const stopListening = db.listen(topic, () => void refresh())

  // A running read may have started before the change, so another one follows it.
  function refresh(): Promise<void> {
    if (closed) return Promise.resolve()
    waiting ??= latest.then(() => {
      waiting = null
      latest = closed ? latest : readOrKeepLast()
      return latest
    })
    return waiting
  }

  async function readOrKeepLast(): Promise<void> {
    try {
      const apply = await read()
      if (!closed) apply()
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
