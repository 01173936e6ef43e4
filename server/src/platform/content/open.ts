// The places of content over a real PostgreSQL.
import type { Clock } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, Tx } from '../db/tx.ts'
import type { Log } from '../log/log.ts'
import type { Content, Home, Isolation } from './content.ts'
import * as sql from './sql.ts'

export type ContentOptions = {
  /** The shared database, with the rights of its owner. */
  url: string
  /** The role that the service works as; null where there is none. */
  role: string | null
  db: Db
  clock: Clock
  log: Log
  /** Where databases of their own are: `{org}` stands for the organisation's id. Null: beside the shared one. */
  dedicatedUrl: string | null
}

export function openContent(_options: ContentOptions): Content {
  return {
    prepare: () => Promise.reject(new Error('not built yet')),
    begin: async (_tx: Tx, _org: OrgId, _to: Isolation) => false,
    carryOn: async () => true,
    async homeOf(tx: Tx, org: OrgId): Promise<Home> {
      const row = await sql.placeOf(tx, org)
      return {
        isolation: row?.movingTo ?? row?.place ?? 'shared',
        status: row?.movingTo ? 'moving' : 'settled',
      }
    },
    unfinished: async () => [],
    remove: async () => undefined,
    close: async () => undefined,
  }
}
