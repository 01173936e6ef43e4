// Reads the state of a turn before each of its steps. Earlier turns and finished steps never change, so an attempt reads them once,
// and then only what may have changed. A long task would otherwise be read again for every step.
import { present } from '../../kernel/assert.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { JobAttempt } from '../../platform/jobs/jobs.ts'
import { findClient } from '../client/clients-sql.ts'
import { listEditedPaths } from '../edits-sql.ts'
import { listConversation, listStepsFrom } from '../steps-sql.ts'
import { findTask, type Task } from '../tasks-sql.ts'
import { findProgress, findTurn, listAttachments, listTurns, type TaskTurn } from '../turns-sql.ts'
import type { TurnId } from '../types.ts'
import type { StepOfTask, TurnPayload, TurnState } from './turn-context.ts'

/** Undefined when the turn is over, or the task is deleted. */
export type StateReader = () => Promise<TurnState | undefined>

export function createStateReader(app: App, { org, payload }: JobAttempt<TurnPayload>): StateReader {
  const orgId = present(org, 'the job of a turn has an organisation')
  let last: TurnState | undefined
  return async () => {
    last = await app.db.tx(orgId, async (tx) => {
      const turn = last ? await refreshTurn(tx, last.turn) : await findTurn(tx, orgId, payload.turnId)
      if (!turn || turn.status === 'finished') return undefined
      const task = await findTask(tx, orgId, turn.taskId)
      if (!task) return undefined
      const payer = present(await findOrg(tx, orgId), 'a task has an organisation')
      const earlier = last ? last.turns : await listTurns(tx, orgId, task.id)
      const turns = earlier.map((each) => (each.id === turn.id ? turn : each))
      const steps = last
        ? await refreshSteps(tx, turn, last.steps)
        : await listConversation(tx, orgId, task.id, turn.id)
      const attachments = last?.attachments ?? (await listAttachments(tx, orgId, task.id, firstShown(steps)))
      const edited = last?.edited ?? (await listEdits(tx, task, turns))
      const client = last ? last.client : await findClient(tx, task, turn.clientVersion)
      return { task, turn, turns, steps, attachments, edited, client, payer }
    })
    return last
  }
}

/** The ordinal of the first turn whose request the model still reads: a summary replaces those before it. */
const firstShown = (steps: readonly StepOfTask[]): number =>
  steps.findLast(({ kind, doneAt }) => kind === 'compact' && doneAt !== null)?.ordinal ?? 1

/** By turn: the files that were changed after the turn before it. */
async function listEdits(tx: Tx, task: Task, turns: readonly TaskTurn[]): Promise<Map<TurnId, string[]>> {
  const edited = new Map<TurnId, string[]>()
  for (const [i, { id, firstChange }] of turns.entries()) {
    const before = turns[i - 1]?.lastChange ?? firstChange
    if (before !== firstChange) edited.set(id, await listEditedPaths(tx, task, before, firstChange))
  }
  return edited
}

async function refreshTurn(tx: Tx, turn: TaskTurn): Promise<TaskTurn | undefined> {
  const progress = await findProgress(tx, turn)
  return progress && { ...turn, ...progress }
}

async function refreshSteps(tx: Tx, turn: TaskTurn, known: readonly StepOfTask[]): Promise<StepOfTask[]> {
  const open = known.findIndex(({ turnId, doneAt }) => turnId === turn.id && doneAt === null)
  const kept = open < 0 ? known : known.slice(0, open)
  const last = kept.at(-1)
  const added = await listStepsFrom(tx, turn, last?.turnId === turn.id ? last.n + 1 : 1)
  return [...kept, ...added]
}
