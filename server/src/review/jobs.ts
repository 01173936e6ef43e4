// The review job, and the hourly cleanup of old reviews and removed installations.
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { sweepPlacements } from '../platform/db/placement/each-placement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { deleteInstallation, listRemovedBefore } from './installations/installations-sql.ts'
import { replyJob } from './replies/reply-job.ts'
import { ATTEMPTS, runReview } from './runs/run-review.ts'
import { deleteInstallationRuns, deleteRuns, failLostRuns } from './runs/runs-sql.ts'
import { REVIEW_JOB, type ReviewPayload } from './webhook/pull-events.ts'
import { deleteDeliveries, deletePulls } from './webhook/pulls-sql.ts'

const RETENTION_DAYS = 365
const LOST_HOURS = 24
const DELIVERY_RETENTION_DAYS = 30
const REMOVED_RETENTION_DAYS = 30
const LIMITS = { batchSize: 500, maxRounds: 40 }
const REMOVED_PER_RUN = 20

export const reviewJobs = [
  job<ReviewPayload>(REVIEW_JOB, {
    // GitHub is slow, so reviews have their own workers. The limit per organisation keeps one from delaying the others.
    pool: 'review',
    perOrg: 2,
    attempts: ATTEMPTS,
    backoff: { firstMs: 10_000, maxMs: 300_000 },
    // Longer than the largest value of review_wall_clock_ms, with time to publish the result.
    timeoutMs: 3_900_000,
    run: runReview,
  }),
  replyJob,
  job('review.forget', {
    timeoutMs: 600_000,
    async run(app, { signal }) {
      await failAbandonedRuns(app, signal)
      await deleteOldRuns(app, signal)
      await deleteRemovedInstallations(app)
      await deleteOldEvents(app)
    },
  }),
]

export const reviewSchedules: Schedule[] = [
  { name: 'review.forget', job: 'review.forget', everySeconds: 3_600 },
]

/** Fails runs that are older than all delays and attempts together. */
export function failAbandonedRuns(app: App, signal?: AbortSignal): Promise<number> {
  const createdBefore = before(app.clock.now(), { hours: LOST_HOURS })
  return sweepPlacements(
    app.db,
    LIMITS,
    (tx: Tx) => failLostRuns(tx, createdBefore, LIMITS.batchSize),
    signal,
  )
}

/** Reviews and their findings are deleted after a year. */
export function deleteOldRuns(app: App, signal?: AbortSignal): Promise<number> {
  const createdBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  return sweepPlacements(app.db, LIMITS, (tx: Tx) => deleteRuns(tx, createdBefore, LIMITS.batchSize), signal)
}

/** A removed installation is kept for a month in case the removal was a mistake. Then its reviews are deleted with it. */
export async function deleteRemovedInstallations(app: App): Promise<void> {
  const instant = before(app.clock.now(), { days: REMOVED_RETENTION_DAYS })
  const removed = await app.db.tx('platform', (tx) => listRemovedBefore(tx, instant, REMOVED_PER_RUN))
  for (const { id, orgId } of removed) {
    for (let round = 0; round < LIMITS.maxRounds; round++) {
      const deleted = await app.db.tx(orgId, (tx) => deleteInstallationRuns(tx, orgId, id, LIMITS.batchSize))
      if (deleted < LIMITS.batchSize) break
    }
    await app.db.tx(orgId, (tx) => deleteInstallation(tx, id))
  }
}

async function deleteOldEvents(app: App): Promise<void> {
  const now = app.clock.now()
  await inRounds(app, (tx) =>
    deleteDeliveries(tx, before(now, { days: DELIVERY_RETENTION_DAYS }), LIMITS.batchSize),
  )
  await inRounds(app, (tx) => deletePulls(tx, before(now, { days: RETENTION_DAYS }), LIMITS.batchSize))
}

/** Rows beyond the limit wait for the next hourly run. */
async function inRounds(app: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  for (let round = 0; round < LIMITS.maxRounds; round++)
    if ((await app.db.tx('platform', work)) < LIMITS.batchSize) return
}
