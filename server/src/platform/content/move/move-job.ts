// One move of an organisation's content: its source, its target and its callbacks.
import type { Isolation } from '../content.ts'
import type { Table } from '../content-tables.ts'
import type { MoverFence, TableLocation } from '../table-location.ts'
import type { MoveState } from './move-sql.ts'

/** Where a mover is; tests end one there. */
export type MoveStep =
  | 'ready'
  | 'barrier'
  | 'copying'
  | 'copied'
  | 'followed'
  | 'kept out'
  | 'arrived'
  | 'clearing'

export type MoveJob = {
  readonly fence: MoverFence
  readonly source: TableLocation
  readonly target: TableLocation
  readonly tables: readonly Table[]
  readonly state: MoveState
  readonly to: Isolation
  /** The role that alone may look into the place it goes to. */
  readonly roleName: string | null
  /** Called between batches: throws where it is time to stop. */
  readonly pace: (step: MoveStep) => Promise<void>
  /** The same, and never time to stop. */
  readonly tell: (step: MoveStep) => void | Promise<void>
  readonly warn: (reason: string) => void
}
