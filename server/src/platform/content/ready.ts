// A place is made ready before anybody decides to go there: a schema with its role, or a database, and the tables in it.
import type { Clock } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { postgres } from '../db/driver.ts'
import { LOCK, readContentFiles } from '../db/migrate.ts'
import { applyToPlaces } from '../db/place-files-sql.ts'
import type { Log } from '../log/log.ts'
import type { Isolation } from './content.ts'
import type { Dedicated, DedicatedOptions } from './dedicated.ts'
import type { Step } from './move.ts'
import { makeSchema } from './move-sql.ts'

/** What moving and removing reach. */
export type World = {
  /**
   * The shared database, with the rights of its owner: to keep others from the same work, to read what is moved, and to write
   * the copy. A move takes a connection of each in this order, so that many never wait for each other in a circle.
   */
  readonly locks: postgres.Sql
  readonly owner: postgres.Sql
  readonly copies: postgres.Sql
  readonly dedicated: Dedicated
  readonly where: DedicatedOptions
  readonly clock: Clock
  readonly log: Log
  /** Tells all replicas that content is elsewhere. */
  readonly notify: (org: OrgId) => void
  readonly onStep: (step: Step) => void | Promise<void>
  readonly isClosed: () => boolean
}

export type Ready = {
  /** The role that alone may look into the schema. */
  readonly roleName: string | null
  /** Where the database is; null for a schema of the shared one. */
  readonly url: string | null
}

/** What an earlier try left unfinished is finished; what is ready stays as it is. */
export async function ready(world: World, org: OrgId, to: Exclude<Isolation, 'shared'>): Promise<Ready> {
  if (to === 'dedicated') return { roleName: null, url: await world.dedicated.make(org) }
  const roleName = await makeSchema(world.owner, LOCK, org)
  await applyToPlaces(world.owner, LOCK, await readContentFiles(), org)
  return { roleName, url: null }
}
