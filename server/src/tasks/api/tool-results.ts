// Results of tools that the caller runs, and decisions about calls that need an approval. Each is taken once.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { appendEvents } from '../events.ts'
import { insertChanges } from '../files-sql.ts'
import { createTurnMask } from '../prompt/turn-mask.ts'
import type { Approval, ToolResults } from '../request-schema.ts'
import { type WholeResult, wholeOutputs } from '../results/whole-outputs.ts'
import type { SecretMask } from '../secrets/secret-mask.ts'
import { type ToolInput, toolInputOf } from '../steps/step-types.ts'
import { mergeWithheld, type StepOfTask, type TurnPayload } from '../steps/turn-context.ts'
import { TURN_JOB } from '../steps/turn-job.ts'
import { approveStep, findCall, findCallIds, findOutput, finishStep, listAwaiting } from '../steps-sql.ts'
import { countChanges, findTask, markUsed, type Task } from '../tasks-sql.ts'
import { findTurn, lockTurn, saveWithheld, setStatus, type TaskTurn } from '../turns-sql.ts'
import type { Withheld } from '../types.ts'
import { requireTask } from './access.ts'
import { readTaskDetail } from './read-task.ts'

type MaskedResult = Omit<WholeResult, 'changes'> & {
  readonly changes: NonNullable<WholeResult['changes']>
  readonly fullOutput: string | null
  readonly isTruncated: boolean
}

/** The model reads at most this many characters of a result. The rest can be read on request. */
const SHORT_CHARACTERS = 30_000
const CHANGES_PER_TASK_MAX = 5_000

export async function takeToolResults(app: App, actor: Actor, id: string, { results }: ToolResults) {
  const { orgId } = actor
  const { task, turn, whole } = await app.db.tx(orgId, async (tx) => {
    const found = await requireTask(tx, actor, id)
    if (found.workspace.kind !== 'client') throw new ApiError('not_client_workspace')
    await requireCalls(tx, found, results)
    const open = found.openTurnId ? await findTurn(tx, orgId, found.openTurnId) : undefined
    const awaited = new Set(open && (await listAwaiting(tx, open)).map(({ callId }) => callId))
    const useful = results.filter(({ callId }) => awaited.has(callId))
    return { task: found, turn: open, whole: await wholeOutputs(tx, found, useful) }
  })
  const callIds = results.map(({ callId }) => callId)
  // Every known call without an open turn has its result, or needs none any more.
  if (!turn) return { accepted: [], ignored: callIds, status: 'idle' as const }
  const mask = createTurnMask({ task, turn })
  const masked = await Promise.all(whole.map((result) => maskResult(mask, result)))
  const stored = await app.db.tx(orgId, (tx) => storeResults(tx, task, turn, masked, mask.withheld))
  const accepted = new Set(stored.accepted)
  // A call that is named twice is accepted once and ignored once.
  const ignored = callIds.filter((callId) => !accepted.delete(callId))
  return { ...stored, ignored }
}

/** An unknown call is an error of the caller, before anything is stored. */
async function requireCalls(tx: Tx, task: Task, results: ToolResults['results']): Promise<void> {
  const callIds = results.map(({ callId }) => toStorable(callId))
  const known = await findCallIds(tx, task.orgId, task.id, callIds)
  for (const { callId } of results)
    if (!known.has(callId))
      throw new ApiError('not_found', {
        error: `This task has no tool call ${callId.slice(0, 100)}.`,
        callId,
      })
}

async function maskResult(mask: SecretMask, result: WholeResult): Promise<MaskedResult> {
  const { text } = await mask.hideOutput('tool output', toStorable(result.output))
  const changes = (result.changes ?? []).map(({ path, patch }) => ({ path, patch: toStorable(patch) }))
  if (text.length <= SHORT_CHARACTERS)
    return { ...result, changes, output: text, fullOutput: null, isTruncated: false }
  const half = SHORT_CHARACTERS / 2
  const left = text.length - 2 * half
  const output =
    `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`.toWellFormed()
  return { ...result, changes, output, fullOutput: text, isTruncated: true }
}

/** Commands can print NUL, which the database cannot store, and half of a surrogate pair. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

async function storeResults(
  tx: Tx,
  task: Task,
  turn: TaskTurn,
  results: readonly MaskedResult[],
  withheld: readonly Withheld[],
) {
  const { orgId } = task
  const locked = await lockTurn(tx, orgId, turn.id)
  const accepted: string[] = []
  const isOpen = locked !== undefined && locked.status !== 'finished'
  const waiting = await listAwaiting(tx, turn)
  let room = CHANGES_PER_TASK_MAX - ((await findTask(tx, orgId, task.id))?.changes ?? 0)
  for (const result of results) {
    const step = waiting.find(({ callId, awaits }) => callId === result.callId && awaits === 'result')
    if (isOpen && step && !accepted.includes(result.callId)) {
      room -= await storeResult(tx, task, turn, step, { ...result, changes: keptChanges(result, room) })
      accepted.push(result.callId)
    }
  }
  if (accepted.length > 0 && withheld.length > 0)
    await saveWithheld(tx, turn, mergeWithheld(turn.withheld, withheld))
  if (accepted.length > 0) await markUsed(tx, task)
  const status = !isOpen ? ('idle' as const) : await goOnIfReady(tx, task, turn, locked.status)
  return { accepted, status }
}

/** A failed call changed nothing. */
const keptChanges = ({ ok, changes }: MaskedResult, room: number) =>
  ok ? changes.slice(0, Math.max(0, room)) : []

/** Returns the number of changes. */
async function storeResult(
  tx: Tx,
  task: Task,
  turn: TaskTurn,
  step: StepOfTask,
  { callId, ok, output, fullOutput, isTruncated, changes: kept }: MaskedResult,
): Promise<number> {
  await finishStep(tx, turn, 'tool', { n: step.n, outcome: { ok, output, isTruncated }, fullOutput })
  if (kept.length > 0) {
    const last = await countChanges(tx, task, kept.length)
    const rows = kept.map(({ path, patch }, i) => ({
      n: last + 1 + i,
      turnId: turn.id,
      path,
      patch,
      content: null,
      isOriginal: false,
    }))
    await insertChanges(tx, task, rows)
  }
  const { tool } = toolInputOf(step)
  await appendEvents(tx, task.id, turn.id, [
    { kind: 'tool_result', step: step.n, callId, tool, ok, output, isTruncated },
    ...kept.map(({ path, patch }) => ({ kind: 'change' as const, step: step.n, path, ...countLines(patch) })),
  ])
  return kept.length
}

function countLines(patch: string) {
  const lines = patch.split('\n')
  const count = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length
  const isNew = lines.some((line) => line.startsWith('--- /dev/null'))
  const isGone = lines.some((line) => line.startsWith('+++ /dev/null'))
  const action = isNew ? ('create' as const) : isGone ? ('delete' as const) : ('update' as const)
  return { action, added: count('+'), removed: count('-') }
}

/** A turn that waits for nothing any more continues. */
async function goOnIfReady(tx: Tx, task: Task, turn: TaskTurn, status: TaskTurn['status']) {
  if (status !== 'waiting') return status === 'finished' ? ('idle' as const) : status
  if ((await listAwaiting(tx, turn)).length > 0) return 'waiting' as const
  await setStatus(tx, turn, 'queued')
  await enqueue(tx, TURN_JOB, { turnId: turn.id } satisfies TurnPayload, { org: task.orgId, key: turn.id })
  return 'queued' as const
}

/** A declined call is answered to the model. A repeated decision changes nothing. */
export function decideApproval(app: App, actor: Actor, id: string, { approvalId, allow }: Approval) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const task = await requireTask(tx, actor, id)
    const step = await findCall(tx, orgId, task.id, approvalId)
    if (!step) throw new ApiError('not_found', { error: 'This task asks for no such approval.' })
    const turn = await findTurn(tx, orgId, step.turnId)
    const locked = await lockTurn(tx, orgId, step.turnId)
    const current = await findCall(tx, orgId, task.id, approvalId)
    if (turn && locked && locked.status !== 'finished' && current?.awaits === 'approval') {
      await storeDecision(tx, task, turn, current, allow)
      await markUsed(tx, task)
      await goOnIfReady(tx, task, turn, locked.status)
    }
    return readTaskDetail(tx, await requireTask(tx, actor, id))
  })
}

async function storeDecision(
  tx: Tx,
  task: Task,
  turn: TaskTurn,
  step: StepOfTask,
  allow: boolean,
): Promise<void> {
  const input: ToolInput = toolInputOf(step)
  if (allow) return approveStep(tx, turn, step.n, { ...input, isApproved: true })
  const outcome = {
    ok: false,
    output: 'The caller declined this call. Do not try it again.',
    isTruncated: false,
  }
  await finishStep(tx, turn, 'tool', { n: step.n, outcome })
  const callId = step.callId ?? ''
  await appendEvents(tx, task.id, turn.id, [
    { kind: 'tool_result', step: step.n, callId, tool: input.tool, ...outcome },
  ])
}

/** The whole result of a call. */
export function readToolOutput(app: App, actor: Actor, id: string, callId: string) {
  return app.db.tx(actor.orgId, async (tx) => {
    const task = await requireTask(tx, actor, id)
    const found = await findOutput(tx, actor.orgId, task.id, callId)
    if (!found) throw new ApiError('not_found')
    const { tool, call } = found.input as ToolInput
    const outcome = found.outcome as { ok: boolean; output: string } | null
    return {
      callId,
      tool,
      input: call?.input ?? null,
      ok: outcome?.ok ?? null,
      output: found.fullOutput ?? outcome?.output ?? null,
    }
  })
}
