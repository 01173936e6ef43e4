// Caches reports over all organisations for seconds, so that many dashboards cause one query.
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/db/tx.ts'

const FRESH_MS = 5_000
const ENTRIES_MAX = 50

type CachedAnswer<T> = { readonly atMs: number; readonly answer: Promise<T> }

/** A cache per process by key. Evicts the oldest entry at the limit. Failures are not cached. */
export function createFleetCache<T>(): (app: App, key: string, work: () => Promise<T>) => Promise<T> {
  const caches = new WeakMap<Db, Map<string, CachedAnswer<T>>>()
  return (app, key, work) => {
    const cache = caches.get(app.db) ?? new Map<string, CachedAnswer<T>>()
    caches.set(app.db, cache)
    const atMs = app.clock.now().getTime()
    const entry = cache.get(key)
    if (entry && Math.abs(atMs - entry.atMs) < FRESH_MS) return entry.answer
    const answer = work().catch((error: unknown) => {
      cache.delete(key)
      throw error
    })
    cache.delete(key)
    const [oldest] = cache.keys()
    if (cache.size >= ENTRIES_MAX && oldest !== undefined) cache.delete(oldest)
    cache.set(key, { atMs, answer })
    return answer
  }
}
