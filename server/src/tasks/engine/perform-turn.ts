// Performs one attempt at a turn. It continues after the last finished step until the turn is over or waits for the caller.
import { calculateTurnLimits } from '../../agent/agent.ts'
import { GithubRateLimit } from '../../github/github.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { JobAttempt } from '../../platform/jobs/jobs.ts'
import { runsWorkerEnabled } from '../../platform/settings/platform-settings.ts'
import { appendEvents } from '../events.ts'
import { isTooLong, SUMMARY_OUTPUT_CHARACTERS, SUMMARY_TOKENS, summaryRequest } from '../prompt/compact.ts'
import { buildPrompts, type Prompts } from '../prompt/prompts.ts'
import { createTurnMask, learnForTurn } from '../prompt/turn-mask.ts'
import type { SecretMask } from '../secrets/secret-mask.ts'
import { currentVerification, nextStep } from '../steps/next-step.ts'
import { modelOutcomeOf, textOf } from '../steps/step-types.ts'
import {
  type StepOutcome,
  SupersededError,
  type TurnContext,
  type TurnPayload,
  type TurnState,
  withFence,
} from '../steps/turn-context.ts'
import { createStateReader, type StateReader } from '../steps/turn-state.ts'
import { listStepsFrom, makeCompaction } from '../steps-sql.ts'
import { setWorkspace, type Task } from '../tasks-sql.ts'
import { countFailure, setStatus } from '../turns-sql.ts'
import type { TurnStop } from '../types.ts'
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.ts'
import { endTurn, type TurnEnd } from './finish-turn.ts'
import { type ModelStep, NotChargeableError, routeTo, runModelStep } from './model-step.ts'
import { runTools } from './tool-step.ts'
import { runVerification } from './verify-step.ts'

/** Failures in a row before the turn ends. The job backs off between them. */
const FAILURES_MAX = 7
const STEPS_MAX = 2_000

const BUDGET_CODES: ReadonlySet<ErrorCode> = new Set([
  'budget_too_low',
  'insufficient_funds',
  'member_cap_reached',
  'key_budget_exceeded',
])
const UPSTREAM_CODES: ReadonlySet<ErrorCode> = new Set([
  'upstream_failed',
  'upstream_unavailable',
  'upstream_refused',
  'busy',
])
const POLICY_CODES: ReadonlySet<ErrorCode> = new Set([
  'residency_blocked',
  'model_not_allowed',
  'model_not_found',
  'inference_not_configured',
])
/** Endings whose changes are verified: the work was delivered. */
const VERIFIED_STOPS: ReadonlySet<TurnStop> = new Set([
  'completed',
  'budget_reached',
  'step_limit',
  'no_progress',
])

export async function performTurn(app: App, work: JobAttempt<TurnPayload>): Promise<void> {
  const orgId = present(work.org, 'the job of a turn has an organisation')
  const readState = createStateReader(app, work)
  const first = await readState()
  if (!first) return
  const mask = createTurnMask(first)
  const opened = createWorkspaceOnce(app, work, first, mask)
  const context: TurnContext = { app, work, orgId, mask, workspace: opened.get }
  try {
    await markRunning(context, first)
    await runSteps(context, readState)
  } catch (error) {
    if (!(error instanceof SupersededError)) throw error
  } finally {
    await opened.close()
  }
}

async function markRunning(context: TurnContext, { task, turn }: TurnState): Promise<void> {
  if (turn.status === 'running') return
  await withFence(context, async (tx, { status }) => {
    if (status === 'running') return
    await setStatus(tx, turn, 'running')
    await appendEvents(tx, task.id, turn.id, [{ kind: 'status', status: 'running' }])
  })
}

function createWorkspaceOnce(
  app: App,
  { signal }: JobAttempt<TurnPayload>,
  { task, turn, steps }: TurnState,
  mask: SecretMask,
) {
  let opening: Promise<OpenWorkspace> | undefined
  const open = async () => {
    const workspace = await openWorkspace(app, task, signal)
    await nameSkipped(app, task, workspace)
    const own = steps.filter(({ turnId }) => turnId === turn.id)
    await learnForTurn({ workspace, mask, orgId: task.orgId, signal }, own)
    return workspace
  }
  return {
    get: async () => {
      if (task.workspace.kind === 'client') return null
      opening ??= open()
      return opening
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}

/** The caller sees which files of the repository are not part of the workspace. */
async function nameSkipped(app: App, task: Task, { skipped }: OpenWorkspace): Promise<void> {
  const { workspace } = task
  if (workspace.kind !== 'repository' || workspace.skipped !== undefined) return
  const named = skipped.slice(0, SKIPPED_MAX)
  await app.db.tx(task.orgId, (tx) => setWorkspace(tx, task, { ...workspace, skipped: named }))
}
const SKIPPED_MAX = 200

async function runSteps(context: TurnContext, readState: StateReader): Promise<void> {
  const { app, work } = context
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    work.signal.throwIfAborted()
    // The job is retried and continues here when the runs worker is enabled again.
    if (!app.settings.get(runsWorkerEnabled)) throw new Error('the runs worker is disabled')
    const state = await readState()
    if (!state) return
    try {
      if ((await runStep(context, state)) === 'over') return
    } catch (error) {
      if ((await handleFailure(context, state, error)) === 'over') return
    }
  }
  throw new Error('the turn exceeded its step limit')
}

type StepEnd = 'goes on' | 'over'

async function runStep(context: TurnContext, state: TurnState): Promise<StepEnd> {
  const next = nextStep(state)
  if (next.kind === 'end') return finish(context, state, next.reason)
  if (next.kind === 'wait') return wait(context, state)
  // When the answer comes, another job continues: this one must not touch the turn any more.
  const outcome =
    next.kind === 'tools'
      ? await runTools(context, state, next.steps)
      : await askModel(context, state, next.n)
  return outcome === 'waiting' ? 'over' : 'goes on'
}

/** Shortens the transcript first where it has become too long. */
async function askModel(context: TurnContext, state: TurnState, n: number): Promise<StepOutcome> {
  const route = routeTo(context, state, state.payer)
  const prompts = await buildPrompts(context, state)
  const started = state.steps.find((step) => step.turnId === state.turn.id && step.n === n)
  const isLong = () =>
    prompts.canCompact &&
    isTooLong(prompts.full(route.modelId), calculateTurnLimits(route.contextTokens).promptTokens)
  // The first step of a turn whose caller asks for a summary.
  const isAsked = n === 1 && state.turn.compact && prompts.canCompact
  const isCompaction = started?.kind === 'compact' || (!started && (isAsked || isLong()))
  return runModelStep(context, state, isCompaction ? compaction(n, prompts) : answering(n, prompts))
}

const answering = (n: number, prompts: Prompts): ModelStep => ({
  n,
  kind: 'model',
  conversation: ({ modelId }) => prompts.full(modelId),
})

const compaction = (n: number, prompts: Prompts): ModelStep => ({
  n,
  kind: 'compact',
  conversation: ({ modelId }) => summaryRequest(prompts.short(modelId, SUMMARY_OUTPUT_CHARACTERS)),
  outputTokens: SUMMARY_TOKENS,
})

/** The job ends. The answer of the caller starts another one. */
async function wait(context: TurnContext, { task, turn }: TurnState): Promise<StepEnd> {
  return withFence(context, async (tx, { status }) => {
    const steps = await listStepsFrom(tx, turn, 1)
    // An answer may have come since the steps were read.
    if (nextStep({ turn, steps }).kind !== 'wait') return 'goes on'
    if (status !== 'waiting') {
      await setStatus(tx, turn, 'waiting')
      await appendEvents(tx, task.id, turn.id, [{ kind: 'status', status: 'waiting' }])
    }
    return 'over'
  })
}

async function finish(
  context: TurnContext,
  state: TurnState,
  reason: TurnStop,
  errorCode?: string,
): Promise<StepEnd> {
  let verification = currentVerification(state)
  if (!verification && VERIFIED_STOPS.has(reason)) {
    verification = await runVerification(context, state).catch((error: unknown) => {
      if (reason === 'completed' || error instanceof SupersededError) throw error
      context.work.signal.throwIfAborted()
      // The turn ends for another reason, so it does not wait for a verification that fails.
      context.app.log.warn({ err: error, turnId: state.turn.id }, 'tasks.verification.failed')
      return null
    })
    // A failed verification may go back to the model, which the stored steps decide.
    if (verification && reason === 'completed') return 'goes on'
  }
  const summary = await summaryOf(context, state)
  const end: TurnEnd = { reason, summary, verification, ...(errorCode !== undefined && { errorCode }) }
  await withFence(context, (tx) => endTurn(context.app, tx, state.turn, end))
  return 'over'
}

/** A summary is published with the changes, so it shows no secrets that only this turn allows. */
async function summaryOf({ mask }: TurnContext, state: TurnState): Promise<string | null> {
  const text = lastText(state)
  return text !== null && state.turn.allowSecrets ? (await mask.hideOutput('summary', text)).text : text
}

function lastText({ turn, steps }: TurnState): string | null {
  const answers = steps.filter(
    ({ turnId, kind, doneAt }) => turnId === turn.id && kind === 'model' && doneAt !== null,
  )
  const texts = answers.map((step) => textOf(modelOutcomeOf(step))).filter((text) => text !== '')
  return texts.at(-1)?.slice(0, SUMMARY_CHARACTERS_MAX) ?? null
}
const SUMMARY_CHARACTERS_MAX = 20_000

/** A failure that the caller can act on ends the turn. Others are retried by the job, a limited number of times. */
async function handleFailure(context: TurnContext, state: TurnState, error: unknown): Promise<StepEnd> {
  const { app, work } = context
  if (error instanceof SupersededError) throw error
  work.signal.throwIfAborted()
  if (error instanceof NotChargeableError) return finish(context, state, 'policy', error.code)
  if (error instanceof GithubRateLimit) throw error
  const code = error instanceof ApiError ? error.code : 'internal'
  if (code === 'maintenance') throw error
  if (BUDGET_CODES.has(code)) return finish(context, state, 'budget_reached', code)
  if (POLICY_CODES.has(code)) return finish(context, state, 'policy', code)
  if (code === 'prompt_too_long') return shorten(context, state)
  if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !UPSTREAM_CODES.has(code))
    return finish(context, state, 'workspace_unavailable', code)
  app.log.warn({ err: error, turnId: state.turn.id }, 'tasks.step.failed')
  const failures = await withFence(context, async (tx) => {
    const count = await countFailure(tx, state.turn)
    if (count < FAILURES_MAX)
      await appendEvents(tx, state.task.id, state.turn.id, [
        { kind: 'status', status: 'running', note: 'retrying' },
      ])
    return count
  })
  if (failures < FAILURES_MAX) throw error
  return finish(context, state, UPSTREAM_CODES.has(code) ? 'upstream_failed' : 'failed', code)
}

/** The provider does not accept a prompt of this length: the step becomes a summary that replaces the conversation, once. */
async function shorten(context: TurnContext, state: TurnState): Promise<StepEnd> {
  const { turn, turns } = state
  const steps = state.steps.filter(({ turnId }) => turnId === turn.id)
  const hasHistory = turns.length > 1 || steps.some(({ doneAt }) => doneAt !== null)
  const last = steps.at(-1)
  if (!hasHistory || last?.kind === 'compact') return finish(context, state, 'too_long', 'prompt_too_long')
  const n = last?.doneAt === null ? last.n : (last?.n ?? 0) + 1
  await withFence(context, (tx) => makeCompaction(tx, turn, n))
  return 'goes on'
}
