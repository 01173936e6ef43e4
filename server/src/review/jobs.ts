// Reviews run as jobs. What is old goes; so does what belonged to an installation that is gone.
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { sweepPlacements } from '../platform/db/placement/each-placement.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { deleteInstallation, listRemovedBefore } from './installations/installations-sql.ts'
import { ATTEMPTS, runReview } from './runs/run-review.ts'
import { deleteInstallationRuns, deleteRuns, failLostRuns } from './runs/runs-sql.ts'
import { REVIEW_JOB, type ReviewPayload } from './webhook/pull-events.ts'
import { deleteDeliveries, deletePulls } from './webhook/pulls-sql.ts'

const KEPT_DAYS = 365
const LOST_HOURS = 24
const DELIVERIES_KEPT_DAYS = 30
const REMOVED_KEPT_DAYS = 30
const ROUNDS = { atOnce: 500, roundsMax: 40 }
const REMOVED_AT_ONCE = 20

export const reviewJobs = [
  job<ReviewPayload>(REVIEW_JOB, {
    // GitHub takes its time. Nobody else waits for it, and no organisation for another's reviews.
    pool: 'review',
    perOrg: 2,
    attempts: ATTEMPTS,
    backoff: { firstMs: 10_000, maxMs: 300_000 },
    // Longer than the longest review that can be set, with time to say what came of it.
    timeoutMs: 3_900_000,
    run: runReview,
  }),
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

/** Longer than all pauses and attempts together. */
export function failAbandonedRuns(app: App, signal?: AbortSignal): Promise<number> {
  const createdBefore = before(app.clock.now(), { hours: LOST_HOURS })
  return sweepPlacements(app.db, ROUNDS, (tx: Tx) => failLostRuns(tx, createdBefore, ROUNDS.atOnce), signal)
}

/** Reviews and their findings are kept for a year. */
export function deleteOldRuns(app: App, signal?: AbortSignal): Promise<number> {
  const createdBefore = before(app.clock.now(), { days: KEPT_DAYS })
  return sweepPlacements(app.db, ROUNDS, (tx: Tx) => deleteRuns(tx, createdBefore, ROUNDS.atOnce), signal)
}

/** What was removed on GitHub stays for a month, in case that was a mistake. Then all that was found there goes with it. */
export async function deleteRemovedInstallations(app: App): Promise<void> {
  const instant = before(app.clock.now(), { days: REMOVED_KEPT_DAYS })
  const removed = await app.db.tx('platform', (tx) => listRemovedBefore(tx, instant, REMOVED_AT_ONCE))
  for (const { id, orgId } of removed) {
    for (let round = 0; round < ROUNDS.roundsMax; round++) {
      const deleted = await app.db.tx(orgId, (tx) => deleteInstallationRuns(tx, orgId, id, ROUNDS.atOnce))
      if (deleted < ROUNDS.atOnce) break
    }
    await app.db.tx(orgId, (tx) => deleteInstallation(tx, id))
  }
}

async function deleteOldEvents(app: App): Promise<void> {
  const now = app.clock.now()
  await inRounds(app, (tx) =>
    deleteDeliveries(tx, before(now, { days: DELIVERIES_KEPT_DAYS }), ROUNDS.atOnce),
  )
  await inRounds(app, (tx) => deletePulls(tx, before(now, { days: KEPT_DAYS }), ROUNDS.atOnce))
}

/** What is left at the bound waits for the next hour. */
async function inRounds(app: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS.roundsMax; round++)
    if ((await app.db.tx('platform', work)) < ROUNDS.atOnce) return
}
