// One move of an organisation's content: its source, its target and its callbacks.
import type { Isolation } from '../content.ts'
import type { ContentTable } from '../content-tables.ts'
import type { MoverFence, TableLocation } from '../table-location.ts'
import type { MoveState } from './move-sql.ts'

/** The step of a mover. Tests end a mover at each of them. */
export type MoveStep =
  | 'ready'
  | 'barrier'
  | 'copying'
  | 'copied'
  | 'caught up'
  | 'locked'
  | 'switched'
  | 'clearing'

export type MoveJob = {
  readonly fence: MoverFence
  readonly source: TableLocation
  readonly target: TableLocation
  readonly tables: readonly ContentTable[]
  readonly state: MoveState
  readonly to: Isolation
  /** The only role with access to the target schema. */
  readonly roleName: string | null
  /** Called between batches. Throws when the mover must stop. */
  readonly pace: (step: MoveStep) => Promise<void>
  /** Reports a step at which the mover must not stop. */
  readonly report: (step: MoveStep) => void | Promise<void>
  readonly warn: (reason: string) => void
}
