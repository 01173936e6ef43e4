// Starts turns from comments that mention the app on the pull request of a task, and replies to them.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { TaskId } from '../types.ts'

export type CommentTurn = {
  readonly orgId: OrgId
  readonly taskId: TaskId
  readonly prompt: string
  /** A repeated call with the same id starts nothing and returns the first result. */
  readonly deliveryId: string
}
export type StartedTurn = 'started' | 'busy' | { readonly refused: string }
export type StartTurnFromComment = (app: App, turn: CommentTurn) => Promise<StartedTurn>
