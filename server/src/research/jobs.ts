// Research jobs have their own worker pool, because runs mostly wait for the web and for models.
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { sweepPlacements } from '../platform/db/placement/each-placement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { deleteStream } from '../platform/streams/streams.ts'
import { CANCELLED, FAILED, finishRun } from './engine/finish-run.ts'
import { performRun } from './engine/perform-run.ts'
import type { RunPayload } from './engine/run-context.ts'
import { RESEARCH_JOB } from './runs/start-run.ts'
import { deleteFinishedBefore, findRun, listUnfinishedBefore, listWaitingBefore } from './runs-sql.ts'

const RETENTION_DAYS = 365
// Longer than any queue time, and than a run can take after its deadline.
const ABANDONED_HOURS = 24
const UNANSWERED_HOURS = 72
const CONCURRENT_RUNS = 16
const BATCHES = { batchSize: 200, maxRounds: 50 }

export const researchJobs = [
  job<RunPayload>(RESEARCH_JOB, {
    pool: 'research',
    poolSize: CONCURRENT_RUNS,
    slow: true,
    // The run counts its failed steps itself, so worker crashes do not use up its attempts.
    attempts: 1_000,
    backoff: { firstMs: 500, maxMs: 60_000 },
    // Longer than the longest configurable run, with time for its report.
    timeoutMs: 7_800_000,
    run: performRun,
  }),
  job('research.sweep', {
    timeoutMs: 600_000,
    async run(app, { signal }) {
      await finishAbandonedRuns(app, signal)
      await finishUnansweredRuns(app, signal)
      await deleteOldRuns(app, signal)
    },
  }),
]

export const researchSchedules: Schedule[] = [
  { name: 'research.sweep', job: 'research.sweep', everySeconds: 3_600 },
]

/** Finishes runs whose job died. They count as failed through our fault. */
export async function finishAbandonedRuns(app: App, signal?: AbortSignal): Promise<number> {
  const lostBefore = before(app.clock.now(), { hours: ABANDONED_HOURS })
  const lost = await app.db.forEachPlacement(
    (tx) => listUnfinishedBefore(tx, lostBefore, BATCHES.batchSize),
    signal,
  )
  for (const { id, orgId } of lost.flat()) {
    app.log.error({ runId: id }, 'research.run.abandoned')
    const ended = app.db.tx(orgId, async (tx) => {
      const run = await findRun(tx, orgId, id)
      if (run) await finishRun(app, tx, run, run.status === 'cancelled' ? CANCELLED : FAILED)
    })
    // A run that cannot be finished must not block the others.
    await ended.catch((error: unknown) =>
      app.log.error({ err: error, runId: id }, 'research.run.finish_failed'),
    )
  }
  return lost.flat().length
}

/** Finishes runs whose user never answered. The turns so far stay charged. */
export async function finishUnansweredRuns(app: App, signal?: AbortSignal): Promise<number> {
  const askedBefore = before(app.clock.now(), { hours: UNANSWERED_HOURS })
  const waiting = await app.db.forEachPlacement(
    (tx) => listWaitingBefore(tx, askedBefore, BATCHES.batchSize),
    signal,
  )
  for (const { id, orgId } of waiting.flat())
    await app.db
      .tx(orgId, async (tx) => {
        const run = await findRun(tx, orgId, id)
        if (!run || run.needs === null) return
        const message = 'The run ended because its question was not answered for three days.'
        await finishRun(app, tx, run, { ...CANCELLED, errorCode: 'not_answered' }, [
          { kind: 'warning', code: 'not_answered', message },
        ])
      })
      .catch((error: unknown) => app.log.error({ err: error, runId: id }, 'research.run.finish_failed'))
  return waiting.flat().length
}

/** Deletes runs after a year. The files of their reports stay until a user deletes them. */
export function deleteOldRuns(app: App, signal?: AbortSignal): Promise<number> {
  const createdBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  const forget = async (tx: Tx) => {
    const gone = await deleteFinishedBefore(tx, createdBefore, BATCHES.batchSize)
    for (const { id } of gone) await deleteStream(tx, id)
    return gone.length
  }
  return sweepPlacements(app.db, BATCHES, forget, signal)
}
