// Indexes in memory, those that were asked last. Each search says which change it must have seen, so one that another replica
// has made since is never missed.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { load } from './load.ts'
import type { OrgIndex } from './org-index.ts'
import * as sql from './sql.ts'

export type Cache = {
  /** What is in memory, as new as it happens to be. */
  known(org: OrgId, model: string): OrgIndex | undefined
  /** Brings it up to what is committed now. Null when it is too large to be kept. */
  refresh(org: OrgId, model: string): Promise<OrgIndex | null>
  readonly bytes: number
}

const BYTES_MAX = 256 * 1024 * 1024
/** What was too large is read again no sooner: reading as much as fits is what a search would wait for. */
const TOO_LARGE_MS = 600_000
const caches = new WeakMap<App, Cache>()

export function cacheOf(app: App): Cache {
  const cache = caches.get(app) ?? createCache(app, BYTES_MAX)
  caches.set(app, cache)
  return cache
}

/** In place of the usual one: for a process that has another amount of memory. */
export function useCache(app: App, bytesMax: number): void {
  caches.set(app, createCache(app, bytesMax))
}

export function createCache(app: Pick<App, 'db' | 'clock'>, bytesMax: number): Cache {
  /** In the order in which they were asked for. */
  const indexes = new Map<OrgId, OrgIndex>()
  /** One at a time changes an index; whoever comes meanwhile waits and looks again. */
  const refreshing = new Map<OrgId, Promise<OrgIndex | null>>()
  const tooLarge = new Map<OrgId, { readonly model: string; readonly untilMs: number }>()

  const bytesOf = () => indexes.values().reduce((sum, { bytes }) => sum + bytes, 0)

  function keep(org: OrgId, index: OrgIndex | null): void {
    indexes.delete(org)
    if (!index) return
    indexes.set(org, index)
    for (const other of indexes.keys()) {
      if (bytesOf() <= bytesMax || other === org) break
      indexes.delete(other)
    }
  }

  function noteTooLarge(org: OrgId, model: string): void {
    const nowMs = app.clock.now().getTime()
    for (const [other, { untilMs }] of tooLarge) if (untilMs <= nowMs) tooLarge.delete(other)
    tooLarge.set(org, { model, untilMs: nowMs + TOO_LARGE_MS })
  }

  function isTooLarge(org: OrgId, model: string): boolean {
    const noted = tooLarge.get(org)
    return noted?.model === model && app.clock.now().getTime() < noted.untilMs
  }

  async function refreshNow(org: OrgId, model: string): Promise<OrgIndex | null> {
    const index = await app.db.tx(org, async (tx) => {
      const state = await sql.stateOf(tx, org)
      const found = indexes.get(org)
      if (!state) return load(tx, undefined, { org, model, bytesMax, state: EMPTY })
      return found?.version === state.version && found.model === model
        ? found
        : load(tx, found, { org, model, bytesMax, state })
    })
    keep(org, index)
    if (!index) noteTooLarge(org, model)
    return index
  }

  return {
    get bytes() {
      return bytesOf()
    },
    known(org, model) {
      const index = indexes.get(org)
      if (index?.model !== model || refreshing.has(org)) return undefined
      keep(org, index)
      return index
    },
    async refresh(org, model) {
      if (isTooLarge(org, model)) return null
      const before = refreshing.get(org)
      // What it has begun may not have seen what this one must.
      if (before) await before.catch(() => null)
      const running = refreshing.get(org) ?? refreshNow(org, model)
      refreshing.set(org, running)
      try {
        return await running
      } finally {
        if (refreshing.get(org) === running) refreshing.delete(org)
      }
    },
  }
}

const EMPTY: sql.State = { version: 0n, removedVersion: 0n, vectorWeight: null, queries: 0 }
