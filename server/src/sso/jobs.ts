// Jobs that delete expired flows, tickets and assertions.
import { before } from '../kernel/clock.ts'
import type { Sql } from '../platform/db/tx.ts'
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { sweepFlows } from './login/flows-sql.ts'
import { sweepAssertions, sweepTickets } from './saml/sql.ts'

const BATCH = 5_000
const BATCHES_MAX = 20

export const ssoJobs: readonly JobKind[] = [
  sweepJob('sso.sweepFlows', sweepFlows),
  sweepJob('sso.sweepTickets', sweepTickets),
  sweepJob('sso.sweepAssertions', sweepAssertions),
]

export const ssoSchedules: readonly Schedule[] = [
  { name: 'sso.flows', job: 'sso.sweepFlows', everySeconds: 3_600 },
  { name: 'sso.tickets', job: 'sso.sweepTickets', everySeconds: 3_600 },
  { name: 'sso.assertions', job: 'sso.sweepAssertions', everySeconds: 3_600 },
]

/** Deletes rows that ended an hour ago, in batches. The next run continues after the last batch. */
function sweepJob(
  name: string,
  sweep: (db: Sql, endedBefore: Date, most: number) => Promise<number>,
): JobKind {
  return job(name, {
    run: async (app) => {
      const endedBefore = before(app.clock.now(), { hours: 1 })
      for (let batch = 0; batch < BATCHES_MAX; batch++)
        if ((await sweep(app.db.direct, endedBefore, BATCH)) < BATCH) return
    },
  })
}
