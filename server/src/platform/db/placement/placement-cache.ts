// In-memory cache of content placements. It may be stale: the database rejects a transaction with a stale placement, and the
// cache then reads it again.

import type { OrgId } from '../../../kernel/ids.ts'
import type { Isolation } from '../../content/content.ts'
import type { Log } from '../../log/log.ts'
import type { Db, Sql } from '../tx.ts'
import { type IsolatedOrg, listIsolatedOrgs, readIsolation } from './placement-sql.ts'

export type PlacementCache = {
  get(org: OrgId): Isolation
  /** Reads the placement of one organisation again. */
  refresh(org: OrgId): Promise<void>
  /** Reads all placements and returns the organisations that are not in the shared tables. Only these are cached. */
  reload(): Promise<OrgId[]>
  /** Loads the cache and updates it on every notified change. */
  watch(listen: Db['listen']): Promise<void>
}

/** Changes are notified under this topic with the id of the organisation. */
const TOPIC = 'content'
const PAGE = 1_000

export function createPlacementCache(sql: Sql, onWarning: Log['warn']): PlacementCache {
  let isolated = new Map<OrgId, Isolation>()

  async function refresh(org: OrgId): Promise<void> {
    const isolation = await readIsolation(sql, org)
    if (isolation === 'shared') isolated.delete(org)
    else isolated.set(org, isolation)
  }

  async function reload(): Promise<OrgId[]> {
    const found = new Map<OrgId, Isolation>()
    let page: IsolatedOrg[]
    do {
      page = await listIsolatedOrgs(sql, [...found.keys()].at(-1) ?? '', PAGE)
      for (const { org, isolation } of page) found.set(org, isolation)
    } while (page.length === PAGE)
    isolated = found
    return [...found.keys()]
  }

  // A missed update costs the next transaction one more attempt.
  const inBackground = (reading: Promise<unknown>) =>
    reading.catch((error) => onWarning({ err: error }, 'database.placement.read_failed'))

  return {
    get: (org) => isolated.get(org) ?? 'shared',
    refresh,
    reload,
    async watch(listen) {
      listen(TOPIC, (org) => void inBackground(org === null ? reload() : refresh(org as OrgId)))
      await reload()
    },
  }
}
