// One attempt at a run: it goes on where the last one ended, step by step, until the run is over.
import { present } from '../kernel/assert.ts'
import { after } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Work } from '../platform/jobs/jobs.ts'
import { runsWorkerEnabled } from '../platform/settings/platform-settings.ts'
import { extend } from '../wallet/wallet.ts'
import { CANCELLED, endIn, FAILED } from './finish.ts'
import { type Known, nextStep, type ReportOutcome, type Step, type StepOutcome, stepName } from './next.ts'
import { sourcesOf } from './sources-sql.ts'
import { countFailure, findRun, type Run, startRun } from './sql.ts'
import { extract } from './steps/extract.ts'
import { gap } from './steps/gap.ts'
import { plan } from './steps/plan.ts'
import { publish } from './steps/publish.ts'
import { read } from './steps/read.ts'
import { refill } from './steps/refill.ts'
import { repair } from './steps/repair.ts'
import { report } from './steps/report.ts'
import { search } from './steps/search.ts'
import { doneSteps } from './steps-sql.ts'
import {
  Cancelled,
  fenced,
  type RunPayload,
  readingUntil,
  Superseded,
  type Working,
  writingUntil,
} from './working.ts'

/** Times in a row that a step may fail through a fault of ours before the run is given up, and paid back. */
const FAILURES_MAX = 5
/** What was kept aside outlives the deadline of the run by this. */
const ASIDE_MINUTES = 15
/** How long after its deadline a run still waits for a database or a storage that is away. */
const AWAY_MINUTES = 30
const LOOK_MS = 2_000
const STEPS_MAX = 500

export async function perform(app: App, work: Work<RunPayload>): Promise<void> {
  const orgId = present(work.org, 'research is an organisation’s')
  const { runId } = work.payload
  const cancelling = new AbortController()
  const stopLooking = lookForCancellation(app, orgId, runId, cancelling)
  try {
    const run = await begin(app, work)
    if (!run) return
    await advance({ app, work, orgId, run, unusable: 0, cancelled: cancelling.signal })
  } catch (error) {
    if (error instanceof Superseded) return
    throw error
  } finally {
    stopLooking()
  }
}

/** Starts its clock when this is the first attempt. Undefined when there is nothing to do. */
async function begin(app: App, work: Work<RunPayload>): Promise<Run | undefined> {
  const orgId = present(work.org, 'research is an organisation’s')
  const { runId } = work.payload
  const run = await fenced({ app, work, orgId }, async (tx) => {
    const found = await findRun(tx, orgId, runId)
    if (!found || found.startedAt !== null) return found
    const deadlineAt = after(tx.now, { ms: found.limits.wallClockMs })
    await startRun(tx, found, deadlineAt)
    return { ...found, startedAt: tx.now, deadlineAt }
  })
  if (!run?.deadlineAt) return undefined
  const deadline = after(run.deadlineAt, { minutes: ASIDE_MINUTES })
  await extend(app, { orgId, holdId: run.asideHoldId, deadline })
  return run
}

async function advance(working: Working): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    working.work.signal.throwIfAborted()
    // Whoever takes the job when runs are switched on again goes on from here.
    if (!working.app.settings.get(runsWorkerEnabled)) throw new Error('runs are switched off')
    const known = await knownOf(working)
    if (!known) return
    const current = { ...working, run: known.run, unusable: unusableAmong(known.done) }
    const step = nextStep(known)
    if (step.kind === 'cancelled') return endCancelled(current)
    try {
      await take(current, step, known)
    } catch (error) {
      await afterFailure(current, error)
      continue
    }
    if (step.kind === 'publish' || step.kind === 'fail') return
  }
  throw new Error('a run comes to an end')
}

const unusableAmong = (done: Known['done']): number =>
  [...done.values()].filter((outcome) => (outcome as StepOutcome).without === 'unusable').length

async function knownOf({ app, orgId, run: { id } }: Working): Promise<Known | undefined> {
  return app.db.tx(orgId, async (tx) => {
    const run = await findRun(tx, orgId, id)
    if (!run || run.finishedAt !== null) return undefined
    const done = new Map((await doneSteps(tx, run)).map(({ step, outcome }) => [step, outcome]))
    return { run, done, sources: await sourcesOf(tx, run), isLate: tx.now >= readingUntil(run, tx.now) }
  })
}

function take(working: Working, step: Exclude<Step, { kind: 'cancelled' }>, { done }: Known): Promise<void> {
  switch (step.kind) {
    case 'plan':
      return plan(working)
    case 'search':
      return search(working, step)
    case 'read':
      return read(working, step)
    case 'refill':
      return refill(working, step)
    case 'extract':
      return extract(working, step)
    case 'gap':
      return gap(working, step)
    case 'report':
      return report(working, step)
    case 'repair':
      return repair(working, done.get(stepName.report) as ReportOutcome)
    case 'publish':
      return publish(working)
    case 'fail':
      return fail(working, step.code)
  }
}

/** A cancellation shows when the run is looked at next. Anything else is tried again, by whoever takes the job then. */
async function afterFailure(working: Working, error: unknown): Promise<void> {
  const { app, run, work, cancelled } = working
  if (error instanceof Superseded) throw error
  if (error instanceof Cancelled) return
  work.signal.throwIfAborted()
  if (cancelled.aborted) return
  // The world is away: it is nobody's fault, and it comes back. It is not waited for without end.
  const isAway = error instanceof ApiError && error.status === 503
  if (isAway && app.clock.now() < after(writingUntil(run, app.clock.now()), { minutes: AWAY_MINUTES }))
    throw error
  app.log.error({ err: error, runId: run.id }, 'research.step.failed')
  const failures = await fenced(working, (tx) => countFailure(tx, run))
  if (failures < FAILURES_MAX) throw error
  await fail(working, 'internal')
}

async function fail(working: Working, errorCode: string): Promise<void> {
  const { app, run } = working
  const message =
    errorCode === 'search_failed'
      ? 'No search was answered, so there is no report. What it cost was given back.'
      : 'The run failed through a fault of ours. What it cost was given back.'
  await fenced(working, (tx) =>
    endIn(app, tx, run, { ...FAILED, errorCode }, [{ kind: 'warning', code: errorCode, message }]),
  )
}

async function endCancelled(working: Working): Promise<void> {
  const { app, run } = working
  await fenced(working, (tx) => endIn(app, tx, run, CANCELLED))
}

/** Told at once where that works, and seen soon where it does not. Returns how it ends. */
function lookForCancellation(
  app: App,
  orgId: Run['orgId'],
  id: Run['id'],
  cancelling: AbortController,
): () => void {
  const look = async () => {
    const run = await app.db.tx(orgId, (tx) => findRun(tx, orgId, id))
    if (run?.status === 'cancelled') cancelling.abort(new Cancelled())
  }
  const lookQuietly = () => void look().catch(() => undefined)
  const timer = setInterval(lookQuietly, LOOK_MS).unref()
  const unlisten = app.db.listen('research', (heard) => {
    if (heard === null || heard === id) lookQuietly()
  })
  return () => {
    clearInterval(timer)
    unlisten()
  }
}
