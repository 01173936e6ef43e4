// The context of a worker that performs a turn. Every write checks the fence of the job, so a worker that lost its lease cannot
// write.
import type { OrgId } from '../../kernel/ids.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { holdsLease, type JobAttempt } from '../../platform/jobs/jobs.ts'
import { appendEvents, type TaskEvent } from '../events.ts'
import type { SecretMask } from '../secrets/secret-mask.ts'
import type { TaskStep } from '../steps-sql.ts'
import type { Task } from '../tasks-sql.ts'
import { lockTurn, saveWithheld, type TaskTurn } from '../turns-sql.ts'
import type { Attachment, TaskClient, TurnId, Withheld } from '../types.ts'
import type { OpenWorkspace } from '../workspace/open-workspace.ts'

export type TurnPayload = { readonly turnId: TurnId }

/**
 * As last read from the database. `turns` has all turns. `steps` has those of earlier turns after the last summary, and all of this
 * turn, in order. `attachments` has those since the last summary, by turn.
 */
export type TurnState = {
  readonly task: Task
  readonly turn: TaskTurn
  readonly turns: readonly TaskTurn[]
  readonly steps: readonly StepOfTask[]
  readonly attachments: ReadonlyMap<TurnId, readonly Attachment[]>
  /** The files that the caller changed before a turn, by rejecting or reverting changes. */
  readonly edited: ReadonlyMap<TurnId, readonly string[]>
  /** As it was when the turn started. */
  readonly client: TaskClient | undefined
  readonly payer: Org
}
export type StepOfTask = TaskStep & { readonly ordinal: number }

export type TurnContext = {
  readonly app: App
  readonly work: JobAttempt<TurnPayload>
  readonly orgId: OrgId
  readonly mask: SecretMask
  /** Opened on first use. Null for client workspaces. */
  readonly workspace: () => Promise<OpenWorkspace | null>
}

/** `waiting`: the turn was set to wait for the caller. */
export type StepOutcome = 'done' | 'waiting'

/** Another worker has the turn, or it is over. This attempt stops. */
export class SupersededError extends Error {
  constructor() {
    super('another process works on this turn')
    this.name = 'SupersededError'
  }
}

type LockedTurn = NonNullable<Awaited<ReturnType<typeof lockTurn>>>

/** Runs a transaction with the fence checked and the turn locked. Throws `SupersededError` if the lease is lost or it is over. */
export function withFence<T>(
  { app, work, orgId }: Pick<TurnContext, 'app' | 'work' | 'orgId'>,
  write: (tx: Tx, locked: LockedTurn) => Promise<T>,
): Promise<T> {
  return app.db.tx(orgId, async (tx) => {
    if (!(await holdsLease(tx, work))) throw new SupersededError()
    const locked = await lockTurn(tx, orgId, work.payload.turnId)
    if (!locked || locked.status === 'finished') throw new SupersededError()
    return write(tx, locked)
  })
}

/** Appends events of the turn, and names new secrets that were withheld. */
export async function report(
  tx: Tx,
  { mask }: Pick<TurnContext, 'mask'>,
  { task, turn }: Pick<TurnState, 'task' | 'turn'>,
  events: readonly TaskEvent[],
): Promise<void> {
  if (events.length > 0) await appendEvents(tx, task.id, turn.id, events)
  const all = mergeWithheld(turn.withheld, mask.withheld)
  if (all.length > turn.withheld.length) await saveWithheld(tx, turn, all)
}

const WITHHELD_MAX = 200

export function mergeWithheld(known: readonly Withheld[], found: readonly Withheld[]): readonly Withheld[] {
  const keyOf = ({ path, line, reason }: Withheld) => `${path} ${line ?? ''} ${reason}`
  const all = new Map([...known, ...found].map((each) => [keyOf(each), each]))
  return [...all.values()].slice(0, WITHHELD_MAX)
}
