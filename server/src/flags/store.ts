// All flags in memory. Requests read memory; the database is read only after a change.
import { createCacheRefresher } from '../platform/db/cache-refresh.ts'
import type { Db } from '../platform/db/tx.ts'
import type { Log } from '../platform/log/log.ts'
import type { CachedFlag } from './evaluate.ts'
import * as sql from './sql.ts'

export type FlagStore = {
  find(key: string): CachedFlag | undefined
  /** Ordered by key. */
  all(): readonly CachedFlag[]
  /** The number of overrides of organisations, over all flags. */
  overrideCount(): number
  /** Resolves when this replica has read everything committed before the call. Never rejects. */
  refresh(): Promise<void>
  close(): void
}

type VersionedFlag = CachedFlag & { readonly madeAtRevision: bigint; readonly orgs: Map<string, boolean> }

const REFRESH_MS = 5_000
const PAGE = 5_000
const NO_REVISION = -1n

/** Reads all flags once, then follows changes. Keeps the last state while the database is unreachable. */
export async function openFlagStore(
  db: Db,
  log: Log,
  { refreshMs = REFRESH_MS }: { refreshMs?: number } = {},
): Promise<FlagStore> {
  let flags = new Map<string, VersionedFlag>()
  let lastRevision = NO_REVISION
  const applyFirst = await read()
  applyFirst()

  const fresh = createCacheRefresher(db, { log, topic: 'flags', everyMs: refreshMs, read })

  async function read(): Promise<() => void> {
    const { revision } = await sql.readRevision(db.direct)
    if (revision === lastRevision) return () => {}
    // After a restore from backup, the same revision numbers can mean other changes. Read everything again.
    const known = revision < lastRevision ? new Map<string, VersionedFlag>() : flags
    const stored = await sql.readFlags(db.direct)
    const changes = await readChanges(db, known === flags ? lastRevision : NO_REVISION, revision)
    return () => {
      flags = applyChanges(known, stored, changes)
      lastRevision = revision
    }
  }

  return {
    find: (key) => flags.get(key),
    all: () => [...flags.values()],
    overrideCount: () => flags.values().reduce((sum, { orgs }) => sum + orgs.size, 0),
    refresh: fresh.refresh,
    close: fresh.close,
  }
}

/** Reads page by page, each in its own transaction. Changes newer than `until` wait for the next read. */
async function readChanges(db: Db, lastRevision: bigint, until: bigint): Promise<sql.OverrideChange[]> {
  const changes: sql.OverrideChange[] = []
  let after: sql.OverridePosition | undefined = { revision: lastRevision + 1n, key: '', orgId: '' }
  // The loop ends: each page starts after the previous one, and `until` bounds them.
  while (after) {
    const begin: sql.OverridePosition = after
    const page = await db.tx('platform', (tx) => sql.listChangesAfter(tx, begin, until, PAGE))
    for (const change of page) changes.push(change)
    after = page.length < PAGE ? undefined : page.at(-1)
  }
  return changes
}

function applyChanges(
  known: ReadonlyMap<string, VersionedFlag>,
  stored: readonly sql.StoredFlag[],
  changes: readonly sql.OverrideChange[],
): Map<string, VersionedFlag> {
  const flags = new Map<string, VersionedFlag>()
  for (const { key, defaultEnabled, tierOverrides, madeAtRevision } of stored) {
    const before = known.get(key)
    const orgs = before?.madeAtRevision === madeAtRevision ? before.orgs : new Map<string, boolean>()
    flags.set(key, { key, defaultEnabled, tierOverrides, madeAtRevision, orgs })
  }
  for (const { key, orgId, enabled } of changes) {
    const orgs = flags.get(key)?.orgs
    if (enabled === null) orgs?.delete(orgId)
    else orgs?.set(orgId, enabled)
  }
  return flags
}
