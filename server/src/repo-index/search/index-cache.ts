// A cache of the most recently used indexes in memory. Every search compares the version with the database, so it never misses
// a change of another replica.
import type { App } from '../../platform/app.ts'
import type { RepoKey } from '../repo-key.ts'
import * as sql from '../sql.ts'
import { loadIndex } from './load-index.ts'
import type { MemoryIndex } from './memory-index.ts'

export type IndexCache = {
  /** The cached index, which can be outdated. */
  known(key: RepoKey, model: string): MemoryIndex | undefined
  /** Updates the index to the committed version. Null when it is too large for the cache. */
  refresh(key: RepoKey, model: string): Promise<MemoryIndex | null>
  readonly bytes: number
}

const BYTES_MAX = 256 * 1024 * 1024
/** An index that is too large is not loaded again for this long, because searches would wait for the attempt. */
const TOO_LARGE_MS = 600_000
const caches = new WeakMap<App, IndexCache>()

export function indexCacheOf(app: App): IndexCache {
  const cache = caches.get(app) ?? createIndexCache(app, BYTES_MAX)
  caches.set(app, cache)
  return cache
}

/** Replaces the cache, for a process with another memory limit. */
export function replaceIndexCache(app: App, bytesMax: number): void {
  caches.set(app, createIndexCache(app, bytesMax))
}

export function createIndexCache(app: Pick<App, 'db' | 'clock'>, bytesMax: number): IndexCache {
  /** Least recently used first. */
  const indexes = new Map<CacheKey, MemoryIndex>()
  /** One refresh per index at a time. Concurrent callers wait and check again. */
  const refreshing = new Map<CacheKey, Promise<MemoryIndex | null>>()
  const tooLarge = new Map<CacheKey, { readonly model: string; readonly untilMs: number }>()

  const bytesOf = () => indexes.values().reduce((sum, { bytes }) => sum + bytes, 0)

  function keep(cacheKey: CacheKey, index: MemoryIndex | null): void {
    indexes.delete(cacheKey)
    if (!index) return
    indexes.set(cacheKey, index)
    for (const other of indexes.keys()) {
      if (bytesOf() <= bytesMax || other === cacheKey) break
      indexes.delete(other)
    }
  }

  function noteTooLarge(cacheKey: CacheKey, model: string): void {
    const nowMs = app.clock.now().getTime()
    for (const [other, { untilMs }] of tooLarge) if (untilMs <= nowMs) tooLarge.delete(other)
    tooLarge.set(cacheKey, { model, untilMs: nowMs + TOO_LARGE_MS })
  }

  function isTooLarge(cacheKey: CacheKey, model: string): boolean {
    const entry = tooLarge.get(cacheKey)
    return entry?.model === model && app.clock.now().getTime() < entry.untilMs
  }

  async function refreshNow(key: RepoKey, model: string): Promise<MemoryIndex | null> {
    const cacheKey = cacheKeyOf(key)
    const index = await app.db.tx(key.org, async (tx) => {
      const state = await sql.findIndexVersions(tx, key)
      const cached = indexes.get(cacheKey)
      if (!state) return loadIndex(tx, undefined, { key, model, bytesMax, state: EMPTY_STATE })
      return cached?.version === state.version && cached.model === model
        ? cached
        : loadIndex(tx, cached, { key, model, bytesMax, state })
    })
    keep(cacheKey, index)
    if (!index) noteTooLarge(cacheKey, model)
    return index
  }

  return {
    get bytes() {
      return bytesOf()
    },
    known(key, model) {
      const cacheKey = cacheKeyOf(key)
      const index = indexes.get(cacheKey)
      if (index?.model !== model || refreshing.has(cacheKey)) return undefined
      keep(cacheKey, index)
      return index
    },
    async refresh(key, model) {
      const cacheKey = cacheKeyOf(key)
      if (isTooLarge(cacheKey, model)) return null
      const before = refreshing.get(cacheKey)
      // A refresh that started earlier may have missed the latest change.
      if (before) await before.catch(() => null)
      const running = refreshing.get(cacheKey) ?? refreshNow(key, model)
      refreshing.set(cacheKey, running)
      try {
        return await running
      } finally {
        if (refreshing.get(cacheKey) === running) refreshing.delete(cacheKey)
      }
    },
  }
}

/** The cache key of a repository. */
type CacheKey = string
const cacheKeyOf = ({ org, repo }: RepoKey): CacheKey => `${org} ${repo}`

const EMPTY_STATE: sql.IndexVersions = {
  ...{ version: 0n, removedVersion: 0n, historyVersion: 0n },
  ...{ vectorWeight: null, queries: 0 },
}
