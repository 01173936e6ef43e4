// All flags in memory: asked on any request, read from the database only when something has changed.
import { keepFresh } from '../platform/db/kept-fresh.ts'
import type { Db } from '../platform/db/tx.ts'
import type { Log } from '../platform/log/log.ts'
import type { CachedFlag } from './evaluate.ts'
import * as sql from './sql.ts'

export type FlagStore = {
  find(key: string): CachedFlag | undefined
  /** In the order of their keys. */
  all(): readonly CachedFlag[]
  /** How many organisations have a word of their own, over all flags. */
  overrideCount(): number
  /** Resolves when this replica has read what was committed before the call. Never rejects. */
  refresh(): Promise<void>
  close(): void
}

type VersionedFlag = CachedFlag & { readonly madeAtRevision: bigint; readonly orgs: Map<string, boolean> }

const REFRESH_MS = 5_000
const PAGE = 5_000
const NO_REVISION = -1n

/** Reads everything once and follows from then on. While the database is away, the last that was read counts. */
export async function openFlagStore(
  db: Db,
  log: Log,
  { refreshMs = REFRESH_MS }: { refreshMs?: number } = {},
): Promise<FlagStore> {
  let flags = new Map<string, VersionedFlag>()
  let seen = NO_REVISION
  const applyFirst = await read()
  applyFirst()

  const fresh = keepFresh(db, { log, topic: 'flags', everyMs: refreshMs, read })

  async function read(): Promise<() => void> {
    const { revision } = await sql.readRevision(db.direct)
    if (revision === seen) return () => {}
    // A database that was put back to an earlier day has other facts under the same numbers.
    const known = revision < seen ? new Map<string, VersionedFlag>() : flags
    const stored = await sql.readFlags(db.direct)
    const changes = await readChanges(db, known === flags ? seen : NO_REVISION, revision)
    return () => {
      flags = applyChanges(known, stored, changes)
      seen = revision
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

/** Page by page, each in a transaction of its own. What is newer than `until` is for the next reading. */
async function readChanges(db: Db, seen: bigint, until: bigint): Promise<sql.OverrideChange[]> {
  const changes: sql.OverrideChange[] = []
  let after: sql.OverridePosition | undefined = { revision: seen + 1n, key: '', orgId: '' }
  // Each page begins after the one before it, so they end with the changes up to `until`.
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
