// Performs one attempt at a run. It resumes after the last finished step and continues until the run is finished.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { JobAttempt } from '../../platform/jobs/jobs.ts'
import { runsWorkerEnabled } from '../../platform/settings/platform-settings.ts'
import { extendHold } from '../../wallet/wallet.ts'
import { countFailure, findRun, listFinishedSteps, markStarted, type RunRecord } from '../runs-sql.ts'
import { listSources } from '../sources-sql.ts'
import { clarifyQuestion, requestApproval } from '../steps/ask-user.ts'
import { extractFindings } from '../steps/extract.ts'
import { searchGaps } from '../steps/gap.ts'
import { makePlan } from '../steps/plan.ts'
import { publishReport } from '../steps/publish.ts'
import { readSources, refillSources } from '../steps/read.ts'
import { repairReport } from '../steps/repair.ts'
import { writeReport } from '../steps/report.ts'
import { searchWeb } from '../steps/search.ts'
import { CANCELLED, FAILED, finishRun } from './finish-run.ts'
import {
  nextStep,
  type ReportOutcome,
  type ResearchStep,
  type RunState,
  type StepOutcome,
  stepName,
} from './next-step.ts'
import {
  RunCancelledError,
  type RunContext,
  type RunPayload,
  readingDeadline,
  SupersededError,
  withFence,
  writingDeadline,
} from './run-context.ts'

/** Failures in a row before the run is failed and refunded. */
const FAILURES_MAX = 5
/** The report reserve outlives the deadline of the run by this long. */
const RESERVE_MINUTES = 15
/** How long after its deadline a run waits for an unavailable database or storage. */
const OUTAGE_MINUTES = 30
const CANCELLATION_POLL_MS = 2_000
const STEPS_MAX = 500

export async function performRun(app: App, work: JobAttempt<RunPayload>): Promise<void> {
  const orgId = present(work.org, 'a research job has an organisation')
  const { runId } = work.payload
  const cancellation = new AbortController()
  const stopWatching = watchCancellation(app, orgId, runId, cancellation)
  try {
    const run = await beginAttempt(app, work)
    if (!run) return
    await runSteps({ app, work, orgId, run, unusable: 0, cancelled: cancellation.signal })
  } catch (error) {
    if (error instanceof SupersededError) return
    throw error
  } finally {
    stopWatching()
  }
}

/** Starts the clock of the run on the first attempt. Undefined if there is nothing to do. */
async function beginAttempt(app: App, work: JobAttempt<RunPayload>): Promise<RunRecord | undefined> {
  const orgId = present(work.org, 'a research job has an organisation')
  const { runId } = work.payload
  const run = await withFence({ app, work, orgId }, async (tx) => {
    const found = await findRun(tx, orgId, runId)
    if (!found || found.needs !== null) return undefined
    if (found.startedAt !== null) return found
    const deadlineAt = after(tx.now, { ms: found.limits.wallClockMs })
    await markStarted(tx, found, deadlineAt)
    return { ...found, startedAt: tx.now, deadlineAt }
  })
  if (!run?.deadlineAt) return undefined
  const deadline = after(run.deadlineAt, { minutes: RESERVE_MINUTES })
  await extendHold(app, { orgId, holdId: run.asideHoldId, deadline })
  return run
}

async function runSteps(context: RunContext): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    context.work.signal.throwIfAborted()
    // The job retries and resumes here when the runs worker is enabled again.
    if (!context.app.settings.get(runsWorkerEnabled)) throw new Error('the runs worker is disabled')
    const state = await loadState(context)
    if (!state) return
    const current = { ...context, run: state.run, unusable: countUnusable(state.done) }
    const step = nextStep(state)
    if (step.kind === 'wait') return
    if (step.kind === 'cancelled') return finishCancelled(current)
    try {
      await runStep(current, step, state)
    } catch (error) {
      await handleFailure(current, error)
      continue
    }
    if (step.kind === 'publish' || step.kind === 'fail') return
  }
  throw new Error('the run exceeded its step limit')
}

const countUnusable = (done: RunState['done']): number =>
  [...done.values()].filter((outcome) => (outcome as StepOutcome).without === 'unusable').length

async function loadState({ app, orgId, run: { id } }: RunContext): Promise<RunState | undefined> {
  return app.db.tx(orgId, async (tx) => {
    const run = await findRun(tx, orgId, id)
    if (!run || run.finishedAt !== null) return undefined
    const done = new Map((await listFinishedSteps(tx, run)).map(({ step, outcome }) => [step, outcome]))
    return { run, done, sources: await listSources(tx, run), isLate: tx.now >= readingDeadline(run, tx.now) }
  })
}

function runStep(
  context: RunContext,
  step: Exclude<ResearchStep, { kind: 'cancelled' | 'wait' }>,
  { done }: RunState,
): Promise<void> {
  switch (step.kind) {
    case 'clarify':
      return clarifyQuestion(context)
    case 'approval':
      return requestApproval(context)
    case 'plan':
      return makePlan(context)
    case 'search':
      return searchWeb(context, step)
    case 'read':
      return readSources(context, step)
    case 'refill':
      return refillSources(context, step)
    case 'extract':
      return extractFindings(context, step)
    case 'gap':
      return searchGaps(context, step)
    case 'report':
      return writeReport(context, step)
    case 'repair':
      return repairReport(context, done.get(stepName.report) as ReportOutcome)
    case 'publish':
      return publishReport(context)
    case 'fail':
      return failRun(context, step.code)
  }
}

/** Cancellation is handled when the loop reloads the run. The job retries other errors. */
async function handleFailure(context: RunContext, error: unknown): Promise<void> {
  const { app, run, work, cancelled } = context
  if (error instanceof SupersededError) throw error
  if (error instanceof RunCancelledError) return
  work.signal.throwIfAborted()
  if (cancelled.aborted) return
  // A dependency is unavailable. That is not a failure of the run, but the wait is limited.
  const isAway = error instanceof ApiError && error.status === 503
  if (isAway && app.clock.now() < after(writingDeadline(run, app.clock.now()), { minutes: OUTAGE_MINUTES }))
    throw error
  app.log.error({ err: error, runId: run.id }, 'research.step.failed')
  const failures = await withFence(context, (tx) => countFailure(tx, run))
  if (failures < FAILURES_MAX) throw error
  await failRun(context, 'internal')
}

async function failRun(context: RunContext, errorCode: string): Promise<void> {
  const { app, run } = context
  const message =
    errorCode === 'search_failed'
      ? 'No search was answered, so there is no report. The cost was refunded.'
      : 'The run failed because of an error on our side. The cost was refunded.'
  await withFence(context, (tx) =>
    finishRun(app, tx, run, { ...FAILED, errorCode }, [{ kind: 'warning', code: errorCode, message }]),
  )
}

async function finishCancelled(context: RunContext): Promise<void> {
  const { app, run } = context
  await withFence(context, (tx) => finishRun(app, tx, run, CANCELLED))
}

/** Listens for a notification, and polls in case it is lost. Returns a function that stops watching. */
function watchCancellation(
  app: App,
  orgId: RunRecord['orgId'],
  id: RunRecord['id'],
  cancellation: AbortController,
): () => void {
  const look = async () => {
    const run = await app.db.tx(orgId, (tx) => findRun(tx, orgId, id))
    if (run?.status === 'cancelled') cancellation.abort(new RunCancelledError())
  }
  const check = () => void look().catch(() => undefined)
  const timer = setInterval(check, CANCELLATION_POLL_MS).unref()
  const unlisten = app.db.listen('research', (notifiedId) => {
    if (notifiedId === null || notifiedId === id) check()
  })
  return () => {
    clearInterval(timer)
    unlisten()
  }
}
