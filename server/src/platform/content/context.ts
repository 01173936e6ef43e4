// The connections and settings that every operation on content placements shares.
import type { Clock } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Pool } from '../db/pool.ts'
import type { Sql } from '../db/tx.ts'
import type { Log } from '../log/log.ts'
import type { DedicatedDatabases } from './dedicated/dedicated-databases.ts'
import type { MoveStep } from './move/move-job.ts'
import type { MoverLocks } from './move/move-sql.ts'

export type ContentContext = {
  /**
   * The shared database, with the rights of its owner: to keep others from the same work, to read what is moved, and to write
   * the copy. A move takes a connection of each in this order, so that many never wait for each other in a circle.
   */
  readonly locks: MoverLocks
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
