// Scheduled deletion of old idempotency outcomes and rate-limit counters.
import { before } from '../kernel/clock.ts'
import { sweepPlacements } from './db/placement/each-placement.ts'
import * as idempotency from './http/idempotency/sql.ts'
import type { RateLimiter } from './http/rate/rate.ts'
import { type JobKind, job, type Schedule } from './jobs/jobs.ts'
import { type Batches, continueLater, deleteInBatches, type RetainedTable } from './retention.ts'

const KEEP_OUTCOMES_DAYS = 7
const BATCHES = { size: 5_000, most: 20 }

const SWEEP_REPLIES = 'platform.sweepIdempotency'

export const retainedReplies: readonly RetainedTable[] = [
  { table: 'idempotency_keys', keptDays: () => KEEP_OUTCOMES_DAYS, oldest: idempotency.oldestOutcome },
  { table: 'kept_replies', keptDays: () => KEEP_OUTCOMES_DAYS, oldest: idempotency.oldestReply },
]

export function housekeeping(
  limiter: () => RateLimiter,
  batches: Batches = BATCHES,
): { jobs: JobKind[]; schedules: Schedule[] } {
  return {
    jobs: [
      job(SWEEP_REPLIES, {
        run: async (app) => {
          const finishedBefore = before(app.clock.now(), { days: KEEP_OUTCOMES_DAYS })
          const limits = { batchSize: batches.size, maxRounds: batches.most }
          const deleted = await sweepPlacements(app.db, limits, (tx) =>
            idempotency.deleteReplies(tx, finishedBefore, batches.size),
          )
          if (deleted >= batches.size * batches.most) await continueLater(app, SWEEP_REPLIES)
          await deleteInBatches(app, SWEEP_REPLIES, batches, (tx) =>
            idempotency.sweep(tx, finishedBefore, batches.size),
          )
        },
      }),
      job('platform.sweepRates', {
        run: async () => {
          await limiter().sweep()
        },
      }),
    ],
    schedules: [
      { name: 'idempotency', job: SWEEP_REPLIES, everySeconds: 3_600 },
      { name: 'rates', job: 'platform.sweepRates', everySeconds: 300 },
    ],
  }
}
