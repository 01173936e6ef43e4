// Deletes old rows of the request log, and all rows of a closed organisation.
import { before } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { deleteRequestsBefore, deleteRequestsOf } from './request-log-sql.ts'
import { requestLogSettings } from './settings.ts'

const { usage_log_days } = requestLogSettings.settings
const PURGE = 'metering.purgeRequests'
const BATCH = 2_000
const ROUNDS_MAX = 100
const JOB_TIMEOUT_MS = 300_000

export const purgeRequests = job(PURGE, {
  timeoutMs: JOB_TIMEOUT_MS,
  async run(app, { signal }) {
    const old = before(app.clock.now(), { days: app.settings.get(usage_log_days) })
    for (let round = 0; round < ROUNDS_MAX; round++) {
      signal.throwIfAborted()
      if ((await app.db.tx('platform', (tx) => deleteRequestsBefore(tx, old, BATCH))) < BATCH) return
    }
    // More rows are old than one run deletes. The next job continues.
    await app.db.tx('platform', (tx) => enqueue(tx, PURGE, {}, { key: 'rest' }))
  },
})

export const purgeRequestsSchedule: Schedule = { name: PURGE, job: PURGE, everySeconds: 3_600 }

/** In batches, because an organisation may have millions of rows. */
export async function eraseRequests(app: App, orgId: OrgId): Promise<void> {
  while ((await app.db.tx(orgId, (tx) => deleteRequestsOf(tx, orgId, BATCH))) === BATCH);
}
