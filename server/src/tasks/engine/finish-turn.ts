// Ends a turn in one transaction: its row, its events, a refund where it failed through our fault, and the webhook.
import { emit } from '../../hooks/hooks.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { credit } from '../../wallet/wallet.ts'
import { appendEvents } from '../events.ts'
import { countChangedFiles } from '../files-sql.ts'
import { PUBLISH_JOB, type PublishPayload } from '../steps/turn-job.ts'
import { hasWritten } from '../steps-sql.ts'
import { addSpending, closeTurn, findTask, type Task } from '../tasks-sql.ts'
import { findTurn, lockTurn, finishTurn as markFinished, type TaskTurn } from '../turns-sql.ts'
import type { TurnStop } from '../types.ts'
import type { TurnVerification } from '../verify/types.ts'
import { notifyFinished } from './notify.ts'

export type TurnEnd = {
  readonly reason: TurnStop
  readonly errorCode?: string
  readonly summary?: string | null
  readonly verification?: TurnVerification | null
}

/** False if it was already finished. The turn is locked by this. */
export async function endTurn(
  app: App,
  tx: Tx,
  key: Pick<TaskTurn, 'id' | 'orgId'>,
  end: TurnEnd,
): Promise<boolean> {
  const locked = await lockTurn(tx, key.orgId, key.id)
  const turn = await findTurn(tx, key.orgId, key.id)
  if (!locked || !turn || turn.status === 'finished') return false
  const task = await findTask(tx, key.orgId, turn.taskId)
  if (!task) return false
  const isRefunded =
    end.reason === 'failed' || (end.reason === 'upstream_failed' && !(await hasDelivered(tx, task, turn)))
  const refundedMinor = isRefunded ? turn.spentMinor : 0n
  if (refundedMinor > 0n) {
    await refund(app, tx, turn, refundedMinor)
    await addSpending(tx, task, -refundedMinor)
  }
  const { reason: stopReason, errorCode = null, summary = null, verification = null } = end
  const ending = { stopReason, errorCode, summary, verification, refundedMinor, lastChange: task.changes }
  await markFinished(tx, turn, ending)
  await closeTurn(tx, task)
  const spentMinor = turn.spentMinor - refundedMinor
  const { withheld } = turn
  const status = {
    kind: 'status',
    status: 'finished',
    stopReason,
    summary,
    verification,
    spentMinor,
    withheld,
  } as const
  await appendEvents(tx, task.id, turn.id, [status])
  await emit(tx, {
    orgId: turn.orgId,
    type: 'task.turn.finished',
    data: {
      taskId: task.id,
      turnId: turn.id,
      ordinal: turn.ordinal,
      stopReason,
      verified: verification?.verified ?? false,
      spentMinor,
      changedFiles: await countChangedFiles(tx, task, turn.firstChange),
    },
  })
  await notifyFinished(tx, turn, stopReason, spentMinor)
  // Also for changes of earlier turns, which are not published while a turn is open.
  if (task.changes > 0 && task.workspace.kind === 'repository')
    await enqueue(tx, PUBLISH_JOB, { taskId: task.id } satisfies PublishPayload, {
      org: task.orgId,
      key: task.id,
    })
  return true
}

/**
 * A failure of ours costs nothing. When the provider fails for long, the turn costs nothing either, unless it has delivered changes:
 * those stay with the caller. Callers with their own tools need not report changes, so their accepted calls count.
 */
const hasDelivered = async (tx: Tx, { changes }: Task, turn: TaskTurn): Promise<boolean> =>
  changes > turn.firstChange || (await hasWritten(tx, turn))

/** Also where a plan paid for it. */
async function refund(app: App, tx: Tx, { id, orgId }: TaskTurn, amountMinor: bigint): Promise<void> {
  await credit(app, tx, {
    orgId,
    amountMinor,
    source: 'agent',
    account: 'refunds',
    ref: id,
    cause: `task turn ${id} failed`,
  })
}
