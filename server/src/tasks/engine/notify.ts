// Push notifications about turns, to the person who started the turn.
import type { Tx } from '../../platform/db/tx.ts'
import { notify, type TitleReader } from '../../push/push.ts'
import { findTask } from '../tasks-sql.ts'
import type { TaskTurn } from '../turns-sql.ts'
import type { TaskId, TurnStop } from '../types.ts'

export const TASK_PUSH_JOB = 'tasks.push'

const FAILED: ReadonlySet<TurnStop> = new Set(['failed', 'upstream_failed', 'workspace_unavailable'])

/** A person who stopped the turn knows. */
export async function notifyFinished(
  tx: Tx,
  { orgId, userId, taskId }: TaskTurn,
  reason: TurnStop,
  spentMinor: bigint,
): Promise<void> {
  if (reason === 'stopped') return
  const result = reason === 'completed' ? 'completed' : FAILED.has(reason) ? 'failed' : 'stopped'
  const data = { kind: 'task_finished', taskId, result, spentMinor } as const
  await notify(tx, { orgId, userId, data }, TASK_PUSH_JOB)
}

export const notifyApproval = (tx: Tx, { orgId, userId, taskId }: TaskTurn): Promise<void> =>
  notify(tx, { orgId, userId, data: { kind: 'needs_approval', taskId } }, TASK_PUSH_JOB)

/** Null for a deleted task. */
export const readTaskTitle: TitleReader = (app, org, data) =>
  app.db.tx(org, async (tx) =>
    data.kind === 'paid' ? null : ((await findTask(tx, org, data.taskId as TaskId))?.title ?? null),
  )
