// A place is made ready before anybody decides to go there: a schema with its role, or a database, and the tables in it.
import type { Clock } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { applyContentMigrations } from '../db/migrations/content-migrations.ts'
import { MIGRATION_LOCK, readContentMigrations } from '../db/migrations/migrate.ts'
import type { Pool } from '../db/pool.ts'
import type { Sql } from '../db/tx.ts'
import type { Log } from '../log/log.ts'
import type { Isolation } from './content.ts'
import type { DedicatedDatabases } from './dedicated/dedicated-databases.ts'
import type { MoveStep } from './move/move.ts'
import { createSchema, type Locks } from './move/move-sql.ts'
import { readPlacement } from './sql.ts'

/** What moving and removing reach. */
export type ContentContext = {
  /**
   * The shared database, with the rights of its owner: to keep others from the same work, to read what is moved, and to write
   * the copy. A move takes a connection of each in this order, so that many never wait for each other in a circle.
   */
  readonly locks: Locks
  readonly owner: Pool
  readonly copies: Pool
  readonly dedicated: DedicatedDatabases
  /** The same database as the service itself reaches it. */
  readonly direct: Sql
  /** How long an answer of another database is waited for. */
  readonly answerTimeoutMs: number
  /** More changes than these are not followed: the copy is made anew. */
  readonly changesMax: number
  readonly clock: Clock
  readonly log: Log
  /** Tells all replicas that content is elsewhere. */
  readonly notify: (org: OrgId) => void
  readonly onStep: (step: MoveStep) => void | Promise<void>
  readonly isClosed: () => boolean
}

export type PreparedTarget = {
  /** The role that alone may look into the schema. */
  readonly roleName: string | null
  /** Where the database is; null for a schema of the shared one. */
  readonly url: string | null
}

/** What an earlier try left unfinished is finished; what is ready stays as it is. */
export async function prepareTarget(
  world: ContentContext,
  org: OrgId,
  to: Exclude<Isolation, 'shared'>,
): Promise<PreparedTarget> {
  if (to === 'dedicated') {
    // Where content is already, nothing may be made: it would be empty.
    const isHome = (await readPlacement(world.direct, org))?.place === 'dedicated'
    const { url } = await (isHome ? world.dedicated(org) : world.dedicated.make(org))
    return { roleName: null, url }
  }
  const roleName = await createSchema(world.owner, MIGRATION_LOCK, org)
  await applyContentMigrations(world.owner, MIGRATION_LOCK, await readContentMigrations(), org)
  return { roleName, url: null }
}
