// Runs the tool calls of an answer. Calls that only read run in parallel; calls that change files run one after the other, each with
// its changes and its result in one transaction.
import { emit } from '../../hooks/hooks.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TaskEvent } from '../events.ts'
import { type BaseFile, CHANGES_MAX, insertBaseFiles, insertChanges } from '../files-sql.ts'
import { callIdOf, serviceCallOf, type ToolInput, toolInputOf } from '../steps/step-types.ts'
import {
  report,
  type StepOfTask,
  type StepOutcome,
  SupersededError,
  type TurnContext,
  type TurnState,
  withFence,
} from '../steps/turn-context.ts'
import { finishStep, setAwaits } from '../steps-sql.ts'
import { countChanges } from '../tasks-sql.ts'
import { PLAN_PROBLEM, runTool, TOOLS, type ToolResult } from '../tools/tools.ts'
import { setStatus } from '../turns-sql.ts'
import type { FileChange } from '../types.ts'
import { compareFiles } from '../workspace/compare.ts'
import type { ChangedFile } from '../workspace/differences.ts'
import type { OpenWorkspace } from '../workspace/open-workspace.ts'
import { createCommandRunner } from './command-runner.ts'
import { notifyApproval } from './notify.ts'

const AT_ONCE_MAX = 4
const READ_ONLY: ReadonlySet<string> = new Set(
  TOOLS.flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : [])),
)

/** Runs the calls in their order, until one waits for an approval. */
export async function runTools(
  context: TurnContext,
  state: TurnState,
  steps: readonly StepOfTask[],
): Promise<StepOutcome> {
  const workspace = await context.workspace()
  for (const batch of toBatches(steps)) {
    context.work.signal.throwIfAborted()
    const done = await Promise.all(batch.map((step) => runStep(context, state, { step, workspace })))
    if (done.includes('waiting')) return 'waiting'
  }
  return 'done'
}

/** Neighbouring read-only calls form a batch. */
function toBatches(steps: readonly StepOfTask[]): StepOfTask[][] {
  const batches: StepOfTask[][] = []
  let isOpen = false
  for (const step of steps) {
    const isReadOnly = READ_ONLY.has(toolInputOf(step).tool)
    const last = batches.at(-1)
    if (isReadOnly && isOpen && last && last.length < AT_ONCE_MAX) last.push(step)
    else batches.push([step])
    isOpen = isReadOnly
  }
  return batches
}

type RunningStep = {
  readonly step: StepOfTask
  /** Null for client workspaces, where only calls with a problem come here. */
  readonly workspace: OpenWorkspace | null
}

async function runStep(
  context: TurnContext,
  state: TurnState,
  { step, workspace }: RunningStep,
): Promise<StepOutcome> {
  const input = toolInputOf(step)
  const result = await perform(context, state, input, workspace)
  if (result.needsApproval !== undefined) {
    await awaitApproval(context, state, step, result.needsApproval)
    return 'waiting'
  }
  const details = workspace ? await describeChanges(context, workspace, result.changes) : NO_CHANGES
  await withFence(context, (tx) => storeResult(context, state, { step, input, result, details }, tx))
  workspace?.apply(result.changes)
  return 'done'
}

async function perform(
  context: TurnContext,
  { task, turn, payer }: TurnState,
  input: ToolInput,
  workspace: OpenWorkspace | null,
): Promise<ToolResult> {
  const { problem, isApproved = false } = input
  const call = serviceCallOf(input)
  if (!call || !workspace) return refused(problem ?? 'There is no such tool here.')
  if (turn.mode === 'plan' && !READ_ONLY.has(call.name)) return refused(PLAN_PROBLEM)
  const { app, orgId, mask, work } = context
  const runCommand = createCommandRunner(context, { task, turn }, workspace)
  try {
    const tools = { app, orgId, org: payer, workspace, mask, signal: work.signal, runCommand, isApproved }
    const result = await runTool(tools, call)
    if (result.changes.length > 0 && task.changes + result.changes.length > CHANGES_MAX)
      return refused('This task has changed too many files. Ask the caller to start a new one.')
    return result
  } catch (error) {
    work.signal.throwIfAborted()
    if (error instanceof ApiError && error.status === 503) throw error
    app.log.error({ err: error, turnId: turn.id, tool: call.name }, 'tasks.tool.failed')
    return refused('The tool failed through an error of the service. Try another way.')
  }
}

const refused = (output: string): ToolResult => ({ ok: false, output, isTruncated: false, changes: [] })

type ChangeDetails = { readonly events: readonly TaskEvent[]; readonly originals: readonly BaseFile[] }
const NO_CHANGES: ChangeDetails = { events: [], originals: [] }

/** The originals are stored with the first change, so that the difference can always be shown. */
async function describeChanges(
  { orgId, work }: TurnContext,
  workspace: OpenWorkspace,
  changes: readonly FileChange[],
): Promise<ChangeDetails> {
  if (changes.length === 0) return NO_CHANGES
  const changed: ChangedFile[] = []
  const originals: BaseFile[] = []
  for (const { path, content } of changes) {
    changed.push({ path, before: await workspace.read(path), after: content })
    originals.push({ path, content: await workspace.readBase(path) })
  }
  const input = { files: changed, patchBytesMax: Number.POSITIVE_INFINITY }
  const { files } = await compareFiles(orgId, input, work.signal)
  const events = files.map(
    ({ path, action, added, removed }): TaskEvent => ({
      kind: 'change',
      step: null,
      path,
      action,
      added,
      removed,
    }),
  )
  return { events, originals }
}

type Result = {
  readonly step: StepOfTask
  readonly input: ToolInput
  readonly result: ToolResult
  readonly details: ChangeDetails
}

async function storeResult(
  context: TurnContext,
  state: TurnState,
  { step, input, result, details }: Result,
  tx: Tx,
): Promise<void> {
  const { task, turn } = state
  const { ok, output, isTruncated, fullOutput = null, changes } = result
  const outcome = { ok, output, isTruncated }
  if (!(await finishStep(tx, turn, 'tool', { n: step.n, outcome, fullOutput }))) throw new SupersededError()
  if (changes.length > 0) {
    await insertBaseFiles(tx, task, details.originals)
    const last = await countChanges(tx, task, changes.length)
    const rows = changes.map(({ path, content }, i) => ({
      n: last + 1 + i,
      turnId: turn.id,
      path,
      content,
      isOriginal: false,
      patch: null,
    }))
    await insertChanges(tx, task, rows)
  }
  const callId = callIdOf(turn.ordinal, step.n)
  const shown: TaskEvent = {
    kind: 'tool_result',
    step: step.n,
    callId,
    tool: input.tool,
    ok,
    output,
    isTruncated,
  }
  const changed = details.events.map((event) => ({ ...event, step: step.n }) as TaskEvent)
  await report(tx, context, state, [shown, ...changed])
}

/** The turn waits. A person decides, and the call is run or declined then. */
async function awaitApproval(
  context: TurnContext,
  state: TurnState,
  step: StepOfTask,
  reason: string,
): Promise<void> {
  const { task, turn } = state
  const { tool, call } = toolInputOf(step)
  const callId = callIdOf(turn.ordinal, step.n)
  const asked = { callId, approvalId: callId, tool, reason }
  await withFence(context, async (tx) => {
    await setAwaits(tx, turn, step.n, 'approval')
    await setStatus(tx, turn, 'waiting')
    await report(tx, context, state, [
      { kind: 'needs_approval', step: step.n, ...asked, input: call?.input ?? null },
      { kind: 'status', status: 'waiting' },
    ])
    await emit(tx, {
      orgId: turn.orgId,
      type: 'task.needs_approval',
      // The reason names a file, which is content.
      data: { taskId: task.id, turnId: turn.id, approvalId: callId, tool, reason: 'protected_file' },
    })
    await notifyApproval(tx, turn)
  })
}
