// What this process believes about where content is, so that a transaction need not ask. The database decides: a belief that
// is old is turned away there, and corrected here.

import type { OrgId } from '../../../kernel/ids.ts'
import type { Isolation } from '../../content/content.ts'
import type { Log } from '../../log/log.ts'
import type { Db, Sql } from '../tx.ts'
import { type IsolatedOrg, listIsolatedOrgs, readIsolation } from './placement-sql.ts'

export type PlacementCache = {
  get(org: OrgId): Isolation
  /** Reads again where one organisation's content is. */
  refresh(org: OrgId): Promise<void>
  /** Reads and says who does not share now. What is kept in memory is one word for each of them. */
  reload(): Promise<OrgId[]>
  /** Reads all, and from then on hears of changes. */
  watch(listen: Db['listen']): Promise<void>
}

/** A change is told under this topic, with the organisation's id. */
const TOPIC = 'content'
const PAGE = 1_000

export function createPlacementCache(sql: Sql, onWarning: Log['warn']): PlacementCache {
  let own = new Map<OrgId, Isolation>()

  async function refresh(org: OrgId): Promise<void> {
    const place = await readIsolation(sql, org)
    if (place === 'shared') own.delete(org)
    else own.set(org, place)
  }

  async function readAll(): Promise<OrgId[]> {
    const found = new Map<OrgId, Isolation>()
    let page: IsolatedOrg[]
    do {
      page = await listIsolatedOrgs(sql, [...found.keys()].at(-1) ?? '', PAGE)
      for (const { org, isolation: place } of page) found.set(org, place)
    } while (page.length === PAGE)
    own = found
    return [...found.keys()]
  }

  // What was not heard costs the next transaction a second try, and nothing else.
  const inBackground = (reading: Promise<unknown>) =>
    reading.catch((error) => onWarning({ err: error }, 'database.placement.read_failed'))

  return {
    get: (org) => own.get(org) ?? 'shared',
    refresh,
    reload: readAll,
    async watch(listen) {
      listen(TOPIC, (org) => void inBackground(org === null ? readAll() : refresh(org as OrgId)))
      await readAll()
    },
  }
}
