// A task may be seen and changed by the member who created it, and by the admins of its organisation.
import { ApiError } from '../../kernel/errors.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, hasRole } from '../../platform/http/actor.ts'
import { findTask, lockTask, type Task } from '../tasks-sql.ts'

export async function requireTask(tx: Tx, actor: Actor, id: string): Promise<Task> {
  return requireVisible(actor, await findTask(tx, actor.orgId, id))
}

/** As `requireTask`, and locks the task until the transaction ends. */
export async function requireLockedTask(tx: Tx, actor: Actor, id: string): Promise<Task> {
  return requireVisible(actor, await lockTask(tx, actor.orgId, id))
}

/** As `requireLockedTask`, for changes that a turn under way would not see. */
export async function requireIdleTask(tx: Tx, actor: Actor, id: string): Promise<Task> {
  const task = await requireLockedTask(tx, actor, id)
  if (task.openTurnId !== null) throw new ApiError('turn_running', { turnId: task.openTurnId })
  return task
}

/** The same error whether or not the task exists. */
function requireVisible({ userId, role }: Actor, task: Task | undefined): Task {
  if (!task || (task.userId !== userId && !hasRole(role, 'admin'))) throw new ApiError('not_found')
  return task
}
