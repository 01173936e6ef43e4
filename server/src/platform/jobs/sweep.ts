// Housekeeping of the queue, as a job that runs once a minute on one replica.
import { before } from '../../kernel/clock.ts'
import { type JobKind, job, type Schedule } from './job-kind.ts'
import * as sql from './sql.ts'

export const SWEEP = 'jobs.sweep'
export const sweepSchedule: Schedule = { name: SWEEP, job: SWEEP, everySeconds: 60 }

const DEAD_RETENTION_DAYS = 90
const OVERDUE_MINUTES = 15
const ROWS_MAX = 1_000

/** `known` are the kinds of this build. Rows beyond the limit of one sweep are left to the next. */
export function sweepKind(known: readonly string[]): JobKind {
  return job(SWEEP, {
    async run(app) {
      const unknown = await app.db.tx('platform', async (tx) => {
        await sql.deleteDead(tx, before(tx.now, { days: DEAD_RETENTION_DAYS }), ROWS_MAX)
        // Only a build that removed the limit of a kind leaves parked jobs behind. The next claim checks them again.
        const unparked = await sql.unparkStranded(tx, ROWS_MAX)
        if (unparked.length > 0) tx.notify('jobs', SWEEP)
        return sql.listUnknownOverdue(tx, known, before(tx.now, { minutes: OVERDUE_MINUTES }))
      })
      if (unknown.length > 0)
        app.log.warn({ names: unknown.map(({ name }) => name) }, 'jobs.queue.unknown_overdue')
    },
  })
}
