// What this process believes about where content is, so that a transaction need not ask. The database decides: a belief that
// is old is turned away there, and corrected here.

import type { OrgId } from '../../../kernel/ids.ts'
import type { Isolation } from '../../content/content.ts'
import type { Log } from '../../log/log.ts'
import type { Db, Sql } from '../tx.ts'
import { type OwnPlace, ownPlaces, placeOf } from './placement-sql.ts'

export type Beliefs = {
  of(org: OrgId): Isolation
  /** Reads again where one organisation's content is. */
  refresh(org: OrgId): Promise<void>
  /** Reads and says who does not share now. What is kept in memory is one word for each of them. */
  readAll(): Promise<OrgId[]>
  /** Reads all, and from then on hears of changes. */
  follow(listen: Db['listen']): Promise<void>
}

/** A change is told under this topic, with the organisation's id. */
const TOPIC = 'content'
const PAGE = 1_000

export function createBeliefs(sql: Sql, onWarning: Log['warn']): Beliefs {
  let own = new Map<OrgId, Isolation>()

  async function refresh(org: OrgId): Promise<void> {
    const place = await placeOf(sql, org)
    if (place === 'shared') own.delete(org)
    else own.set(org, place)
  }

  async function readAll(): Promise<OrgId[]> {
    const found = new Map<OrgId, Isolation>()
    let page: OwnPlace[]
    do {
      page = await ownPlaces(sql, [...found.keys()].at(-1) ?? '', PAGE)
      for (const { org, place } of page) found.set(org, place)
    } while (page.length === PAGE)
    own = found
    return [...found.keys()]
  }

  // What was not heard costs the next transaction a second try, and nothing else.
  const inBackground = (reading: Promise<unknown>) =>
    reading.catch((error) => onWarning({ err: error }, 'database.placement.read_failed'))

  return {
    of: (org) => own.get(org) ?? 'shared',
    refresh,
    readAll,
    async follow(listen) {
      listen(TOPIC, (org) => void inBackground(org === null ? readAll() : refresh(org as OrgId)))
      await readAll()
    },
  }
}
