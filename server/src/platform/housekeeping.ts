// Scheduled deletion of old idempotency outcomes and rate-limit counters.
import { before } from '../kernel/clock.ts'
import { sweepPlacements } from './db/placement/each-placement.ts'
import * as idempotency from './http/idempotency/sql.ts'
import type { RateLimiter } from './http/rate/rate.ts'
import { type JobKind, job, type Schedule } from './jobs/jobs.ts'

const KEEP_OUTCOMES_DAYS = 7
const BATCH = 5_000
const BATCHES_MAX = 20

export function housekeeping(limiter: () => RateLimiter): { jobs: JobKind[]; schedules: Schedule[] } {
  return {
    jobs: [
      job('platform.sweepIdempotency', {
        run: async (app) => {
          const finishedBefore = before(app.clock.now(), { days: KEEP_OUTCOMES_DAYS })
          await sweepPlacements(app.db, { batchSize: BATCH, maxRounds: BATCHES_MAX }, (tx) =>
            idempotency.deleteReplies(tx, finishedBefore, BATCH),
          )
          for (let batch = 0; batch < BATCHES_MAX; batch++) {
            if ((await idempotency.sweep(app.db.direct, finishedBefore, BATCH)) < BATCH) return
          }
        },
      }),
      job('platform.sweepRates', {
        run: async () => {
          await limiter().sweep()
        },
      }),
    ],
    schedules: [
      { name: 'idempotency', job: 'platform.sweepIdempotency', everySeconds: 3_600 },
      { name: 'rates', job: 'platform.sweepRates', everySeconds: 300 },
    ],
  }
}
