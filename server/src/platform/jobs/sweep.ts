// The housekeeping of the queue itself, done as one of its jobs: once a minute, by one replica.
import { before } from '../../kernel/clock.ts'
import { type JobKind, job, type Schedule } from './job-kind.ts'
import * as sql from './sql.ts'

export const SWEEP = 'jobs.sweep'
export const sweepSchedule: Schedule = { name: SWEEP, job: SWEEP, everySeconds: 60 }

const DEAD_KEPT_DAYS = 90
const LEFT_BEHIND_MINUTES = 15
const ROWS_MAX = 1_000

/** `known` are the kinds of this build. What exceeds the bound of one sweep is left to the next. */
export function sweepKind(known: readonly string[]): JobKind {
  return job(SWEEP, {
    async run(app) {
      const left = await app.db.tx('platform', async (tx) => {
        await sql.deleteDead(tx, before(tx.now, { days: DEAD_KEPT_DAYS }), ROWS_MAX)
        // Only a build that dropped a kind's limit leaves parked jobs behind; the next claim judges them anew.
        const unparked = await sql.unparkStranded(tx, ROWS_MAX)
        if (unparked.length > 0) tx.notify('jobs', SWEEP)
        return sql.listUnknownOverdue(tx, known, before(tx.now, { minutes: LEFT_BEHIND_MINUTES }))
      })
      if (left.length > 0) app.log.warn({ names: left.map(({ name }) => name) }, 'jobs.queue.unknown_overdue')
    },
  })
}
