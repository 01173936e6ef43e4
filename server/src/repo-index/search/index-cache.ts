// Indexes in memory, those that were asked last. Each search says which change it must have seen, so one that another replica
// has made since is never missed.
import type { App } from '../../platform/app.ts'
import type { RepoKey } from '../repo-key.ts'
import * as sql from '../sql.ts'
import { loadIndex } from './load-index.ts'
import type { MemoryIndex } from './memory-index.ts'

export type IndexCache = {
  /** What is in memory, as new as it happens to be. */
  known(key: RepoKey, model: string): MemoryIndex | undefined
  /** Brings it up to what is committed now. Null when it is too large to be kept. */
  refresh(key: RepoKey, model: string): Promise<MemoryIndex | null>
  readonly bytes: number
}

const BYTES_MAX = 256 * 1024 * 1024
/** What was too large is read again no sooner: reading as much as fits is what a search would wait for. */
const TOO_LARGE_MS = 600_000
const caches = new WeakMap<App, IndexCache>()

export function indexCacheOf(app: App): IndexCache {
  const cache = caches.get(app) ?? createIndexCache(app, BYTES_MAX)
  caches.set(app, cache)
  return cache
}

/** In place of the usual one: for a process that has another amount of memory. */
export function replaceIndexCache(app: App, bytesMax: number): void {
  caches.set(app, createIndexCache(app, bytesMax))
}

export function createIndexCache(app: Pick<App, 'db' | 'clock'>, bytesMax: number): IndexCache {
  /** In the order in which they were asked for. */
  const indexes = new Map<CacheKey, MemoryIndex>()
  /** One at a time changes an index; whoever comes meanwhile waits and looks again. */
  const refreshing = new Map<CacheKey, Promise<MemoryIndex | null>>()
  const tooLarge = new Map<CacheKey, { readonly model: string; readonly untilMs: number }>()

  const bytesOf = () => indexes.values().reduce((sum, { bytes }) => sum + bytes, 0)

  function keep(slot: CacheKey, index: MemoryIndex | null): void {
    indexes.delete(slot)
    if (!index) return
    indexes.set(slot, index)
    for (const other of indexes.keys()) {
      if (bytesOf() <= bytesMax || other === slot) break
      indexes.delete(other)
    }
  }

  function noteTooLarge(slot: CacheKey, model: string): void {
    const nowMs = app.clock.now().getTime()
    for (const [other, { untilMs }] of tooLarge) if (untilMs <= nowMs) tooLarge.delete(other)
    tooLarge.set(slot, { model, untilMs: nowMs + TOO_LARGE_MS })
  }

  function isTooLarge(slot: CacheKey, model: string): boolean {
    const noted = tooLarge.get(slot)
    return noted?.model === model && app.clock.now().getTime() < noted.untilMs
  }

  async function refreshNow(key: RepoKey, model: string): Promise<MemoryIndex | null> {
    const slot = cacheKeyOf(key)
    const index = await app.db.tx(key.org, async (tx) => {
      const state = await sql.findIndexVersions(tx, key)
      const found = indexes.get(slot)
      if (!state) return loadIndex(tx, undefined, { key, model, bytesMax, state: EMPTY_STATE })
      return found?.version === state.version && found.model === model
        ? found
        : loadIndex(tx, found, { key, model, bytesMax, state })
    })
    keep(slot, index)
    if (!index) noteTooLarge(slot, model)
    return index
  }

  return {
    get bytes() {
      return bytesOf()
    },
    known(key, model) {
      const slot = cacheKeyOf(key)
      const index = indexes.get(slot)
      if (index?.model !== model || refreshing.has(slot)) return undefined
      keep(slot, index)
      return index
    },
    async refresh(key, model) {
      const slot = cacheKeyOf(key)
      if (isTooLarge(slot, model)) return null
      const before = refreshing.get(slot)
      // What it has begun may not have seen what this one must.
      if (before) await before.catch(() => null)
      const running = refreshing.get(slot) ?? refreshNow(key, model)
      refreshing.set(slot, running)
      try {
        return await running
      } finally {
        if (refreshing.get(slot) === running) refreshing.delete(slot)
      }
    },
  }
}

/** What one repository is kept under. */
type CacheKey = string
const cacheKeyOf = ({ org, repo }: RepoKey): CacheKey => `${org} ${repo}`

const EMPTY_STATE: sql.IndexVersions = { version: 0n, removedVersion: 0n, vectorWeight: null, queries: 0 }
