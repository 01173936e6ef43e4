// Reads tasks for their callers.
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, hasRole } from '../../platform/http/actor.ts'
import { decodeTimeCursor, type TimeCursor, toPage } from '../../platform/http/page.ts'
import { lastSeqOf } from '../../platform/streams/streams.ts'
import { countFilesByTurn } from '../files-sql.ts'
import { findPullRequest } from '../pull-request/pull-requests-sql.ts'
import { toolInputOf } from '../steps/step-types.ts'
import { listAwaiting } from '../steps-sql.ts'
import { listTasks, type Task } from '../tasks-sql.ts'
import { findLastTurns, listTurns, type TaskTurn, type TurnStatus } from '../turns-sql.ts'
import type { TaskWorkspace } from '../types.ts'
import { requireTask } from './access.ts'

export type TasksQuery = {
  readonly archived?: boolean | undefined
  readonly running?: boolean | undefined
  readonly mine?: boolean | undefined
  readonly q?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The list in descending time starts here. */
const LATEST: TimeCursor = { at: new Date('9999-12-31T23:59:59.999Z'), id: '' }

/** Members see their own tasks; admins see all. */
export async function listVisibleTasks(app: App, actor: Actor, query: TasksQuery) {
  const { orgId, userId, role } = actor
  const isAll = hasRole(role, 'admin') && query.mine !== true
  const { items, nextCursor, lastTurns } = await app.db.tx(orgId, async (tx) => {
    const rows = await listTasks(tx, orgId, {
      userId: isAll ? null : userId,
      archived: query.archived === true,
      running: query.running ?? null,
      text: query.q ?? null,
      before: query.cursor === undefined ? LATEST : decodeTimeCursor(query.cursor),
      limit: query.limit + 1,
    })
    const page = toPage(rows, query.limit, ({ updatedAt, id }) => [updatedAt, id])
    return {
      ...page,
      lastTurns: await findLastTurns(
        tx,
        orgId,
        page.items.map(({ id }) => id),
      ),
    }
  })
  return {
    tasks: items.map((task) => {
      const lastTurn = lastTurns.get(task.id) ?? null
      return { ...toSummary(task, task.openTurnId ? lastTurn?.status : undefined), lastTurn }
    }),
    nextCursor,
  }
}

/** With the newest turns only, if `turns` is given. */
export function readTask(app: App, actor: Actor, id: string, turns?: number): Promise<TaskDetail> {
  return app.db.tx(actor.orgId, async (tx) => readTaskDetail(tx, await requireTask(tx, actor, id), turns))
}

export type TaskDetail = Awaited<ReturnType<typeof readTaskDetail>>

export async function readTaskDetail(tx: Tx, task: Task, newest = Number.POSITIVE_INFINITY) {
  const { orgId, id } = task
  // Read first: a caller that follows the events after it misses nothing that the rest of the reply does not show.
  const lastSeq = await lastSeqOf(tx, id)
  const turns = await listTurns(tx, orgId, id, Math.max(0, task.turns - newest))
  const open = turns.find((turn) => turn.status !== 'finished')
  const waiting = open ? await listAwaiting(tx, open) : []
  const changedFiles = await countFilesByTurn(tx, task)
  const pull = await findPullRequest(tx, orgId, id)
  return {
    ...toSummary(task, open?.status),
    instructions: task.instructions,
    turns: turns.map((turn) => toTurn(turn, changedFiles.get(turn.id) ?? 0)),
    needs: waiting.map((step) => {
      const { tool, call } = toolInputOf(step)
      const kind = step.awaits === 'approval' ? ('approval' as const) : ('tool' as const)
      return { turnId: step.turnId, callId: step.callId ?? '', kind, tool, input: call?.input ?? null }
    }),
    pullRequest: pull ? { url: pull.url, number: pull.number, branch: pull.branch, state: pull.state } : null,
    lastSeq,
  }
}

function toSummary(task: Task, open: TurnStatus | undefined) {
  const { id, userId, title, workspace, model, budgetMinor, spentMinor, archived, createdAt, updatedAt } =
    task
  return {
    id,
    userId,
    title,
    status: open === undefined || open === 'finished' ? ('idle' as const) : open,
    workspace: toApiWorkspace(workspace),
    model,
    budgetMinor,
    spentMinor,
    turnCount: task.turns,
    archived,
    createdAt,
    updatedAt,
  }
}

function toApiWorkspace(workspace: TaskWorkspace) {
  if (workspace.kind !== 'repository') return workspace
  const { kind, installationId, repository, ref, commit, skipped = [] } = workspace
  return { kind, installationId, repository, ref, commit, skipped: [...skipped] }
}

function toTurn(turn: TaskTurn, changedFiles: number) {
  const { id, ordinal, userId, prompt, model, mode, status, stopReason, errorCode, summary, verification } =
    turn
  const { maxMinor, spentMinor, refundedMinor, createdAt, finishedAt } = turn
  return {
    id,
    ordinal,
    userId,
    prompt,
    attachments: turn.attachmentNames.map((name) => ({ name })),
    model,
    mode,
    status,
    stopReason,
    errorCode,
    summary,
    verified: verification?.verified ?? false,
    verification,
    withheld: [...turn.withheld],
    changedFiles,
    afterSeq: turn.afterSeq ?? 0,
    maxMinor,
    spentMinor: spentMinor - refundedMinor,
    refundedMinor,
    createdAt,
    finishedAt,
  }
}
