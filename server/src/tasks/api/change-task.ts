// Changes, stops and deletes tasks.
import { record } from '../../audit/audit.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { routeToModel } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { deleteStream } from '../../platform/streams/streams.ts'
import { findClient, saveClient } from '../client/clients-sql.ts'
import { type ClientChange, changeClient, readSentClient } from '../client/task-client.ts'
import { endTurn } from '../engine/finish-turn.ts'
import type { TaskPatch } from '../request-schema.ts'
import { deleteTask, type Task, updateTask } from '../tasks-sql.ts'
import { findTurn, lockTurn, requestStop } from '../turns-sql.ts'
import { requireIdleTask, requireLockedTask, requireTask } from './access.ts'
import { readTaskDetail } from './read-task.ts'

/** Absent fields stay as they are. A turn under way continues with the values of its start. */
export async function patchTask(app: App, actor: Actor, id: string, patch: TaskPatch) {
  if (patch.model) routeToModel(app, actor, patch.model)
  const sent = await readSentClient(actor.orgId, patch)
  return app.db.tx(actor.orgId, async (tx) => {
    const task = await requireLockedTask(tx, actor, id)
    const {
      title = task.title,
      archived = task.archived,
      model = task.model,
      budgetMinor = task.budgetMinor,
      instructions = task.instructions,
    } = patch
    if (patch.budgetMinor != null) await requireBudget(tx, task, patch.budgetMinor)
    await updateTask(tx, task, { title, archived, model, budgetMinor, instructions })
    await patchClient(tx, task, sent)
    return readTaskDetail(tx, await requireTask(tx, actor, id))
  })
}

async function patchClient(tx: Tx, task: Task, change: ClientChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  if (task.workspace.kind !== 'client') throw new ApiError('not_client_workspace')
  const changed = changeClient(await findClient(tx, task, task.clientVersion), change)
  if (changed) await saveClient(tx, task, task.clientVersion + 1, changed)
}

/** A turn under way may still spend its maximum, so a lower budget would be exceeded. */
async function requireBudget(tx: Tx, { orgId, openTurnId, spentMinor }: Task, budget: bigint): Promise<void> {
  const turn = openTurnId ? await findTurn(tx, orgId, openTurnId) : undefined
  const least = spentMinor + (turn ? turn.maxMinor - turn.spentMinor : 0n)
  if (budget >= least) return
  const reason = turn ? 'which is spent already or may be spent by the open turn' : 'which is spent already'
  throw invalidFields({ path: 'budgetMinor', message: `must be at least ${least}, ${reason}` })
}

/** The step in progress is finished and charged. A turn that waits or has not begun ends at once. */
export function stopTask(app: App, actor: Actor, id: string) {
  return app.db.tx(actor.orgId, async (tx) => {
    const task = await requireTask(tx, actor, id)
    const turn = task.openTurnId && { id: task.openTurnId, orgId: task.orgId }
    const locked = turn ? await lockTurn(tx, turn.orgId, turn.id) : undefined
    if (turn && locked) {
      if (locked.status === 'running') await requestStop(tx, turn)
      else await endTurn(app, tx, turn, { reason: 'stopped' })
    }
    return readTaskDetail(tx, await requireTask(tx, actor, id))
  })
}

export function removeTask(app: App, actor: Actor, id: string, { address }: RequestInfo) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    await requireIdleTask(tx, actor, id)
    await deleteTask(tx, orgId, id)
    await deleteStream(tx, id)
    await record(tx, { orgId, actor, ip: address, action: 'tasks.delete', target: id })
    return { ok: true as const }
  })
}
