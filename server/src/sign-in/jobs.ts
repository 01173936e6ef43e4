// Jobs of sign-in: mailing links and deleting expired rows.
import { sweepLinks, sweepSessions } from '../identity/identity.ts'
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { sweepAttempts } from '../platform/attempts/attempts.ts'
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { sweepDeviceLogins } from './device/device-login.ts'
import { sweepEmailChanges } from './email-change/sql.ts'
import { sweepConfirmations, sweepFlows as sweepGithubFlows } from './github/sql.ts'
import { MAIL_LINK, mailLink } from './link/mailed-links.ts'

const SWEEP = 'signIn.sweep'
// Expired links stay for a day, to investigate complaints.
const KEEP_LINKS = { days: 1 }
const KEEP_SESSIONS = { days: 90 }
const BATCH = 1_000
const BATCHES_MAX = 50

export const signInJobs: readonly JobKind[] = [
  job<unknown>(MAIL_LINK, { run: (app, { payload }) => mailLink(app, payload) }),
  job(SWEEP, { run: sweep }),
]

export const signInSchedules: readonly Schedule[] = [{ name: 'signIn', job: SWEEP, everySeconds: 3_600 }]

async function sweep(app: App): Promise<void> {
  const now = app.clock.now()
  await inBatches((most) => sweepLinks(app.db.direct, before(now, KEEP_LINKS), most))
  await inBatches((most) => sweepAttempts(app, most))
  await inBatches((most) => sweepGithubFlows(app.db.direct, before(now, KEEP_LINKS), most))
  await inBatches((most) => sweepConfirmations(app.db.direct, before(now, KEEP_LINKS), most))
  await inBatches((most) => sweepEmailChanges(app.db.direct, before(now, KEEP_LINKS), most))
  await inBatches((most) => sweepDeviceLogins(app, most))
  await inBatches((most) => sweepSessions(app.db.direct, before(now, KEEP_SESSIONS), most))
}

/** The next run, an hour later, continues after the last batch. */
async function inBatches(remove: (most: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await remove(BATCH)) < BATCH) return
}
