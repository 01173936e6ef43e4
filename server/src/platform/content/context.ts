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
   * Pools on the shared database with the rights of its owner: for mover locks, to read the source, and to write the copy. A move
   * takes a connection of each in this order, so that concurrent moves do not deadlock.
   */
  readonly locks: MoverLocks
  readonly owner: Pool
  readonly copies: Pool
  readonly dedicated: DedicatedDatabases
  /** The shared database through the connections of the service. */
  readonly direct: Sql
  /** Timeout for answers of a dedicated database. */
  readonly answerTimeoutMs: number
  /** With more recorded changes than this, the copy is made again. */
  readonly changesMax: number
  readonly clock: Clock
  readonly log: Log
  /** Notifies all replicas of a changed placement. */
  readonly notify: (org: OrgId) => void
  readonly onStep: (step: MoveStep) => void | Promise<void>
  readonly isClosed: () => boolean
}
