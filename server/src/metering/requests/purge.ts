// Deletes old rows of the request log that no dropped month contains, and all rows of a closed organisation.
import { before } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, job, type Schedule } from '../../platform/jobs/jobs.ts'
import type { RetainedTable } from '../../platform/retention.ts'
import { listPartitions } from '../partitions/partitions-sql.ts'
import { deleteRequestsBefore, deleteRequestsOf, oldestRequest } from './request-log-sql.ts'
import { requestLogSettings } from './settings.ts'

const { usage_log_days } = requestLogSettings.settings
const PURGE = 'metering.purgeRequests'
const BATCH = 2_000
const ROUNDS_MAX = 100
const JOB_TIMEOUT_MS = 300_000
/** From here on, whole months are dropped instead of deleting rows. A row is then stored up to a month longer, and not shown. */
const DAYS_OF_WHOLE_MONTHS = 31

export const purgeRequests = job(PURGE, {
  timeoutMs: JOB_TIMEOUT_MS,
  async run(app, { signal }) {
    const days = app.settings.get(usage_log_days)
    const old = before(app.clock.now(), { days })
    const until = days < DAYS_OF_WHOLE_MONTHS ? old : await endOfOldPast(app, old)
    if (until === null) return
    for (let round = 0; round < ROUNDS_MAX; round++) {
      signal.throwIfAborted()
      if ((await app.db.tx('platform', (tx) => deleteRequestsBefore(tx, until, BATCH))) < BATCH) return
    }
    // More rows are old than one run deletes. The next job continues.
    await app.db.tx('platform', (tx) => enqueue(tx, PURGE, {}, { key: 'rest' }))
  },
})

/**
 * The end of the old rows that no dropped month contains. The first partition of all is longer than a month, so its rows are deleted
 * until it can be dropped. Rows before the first month are of a wrong clock.
 */
async function endOfOldPast(app: App, old: Date): Promise<Date | null> {
  const [first] = await app.db.tx('platform', (tx) => listPartitions(tx, 'request_log'))
  return first ? new Date(Math.min((first.starts ?? first.ends).getTime(), old.getTime())) : null
}

/** A month is dropped when its youngest row has ended. */
export const retainedRequests: RetainedTable = {
  table: 'request_log',
  keptDays(settings) {
    const days = settings.get(usage_log_days)
    return days < DAYS_OF_WHOLE_MONTHS ? days : days + DAYS_OF_WHOLE_MONTHS
  },
  oldest: oldestRequest,
}

export const purgeRequestsSchedule: Schedule = { name: PURGE, job: PURGE, everySeconds: 3_600 }

/** In batches, because an organisation may have millions of rows. */
export async function eraseRequests(app: App, orgId: OrgId): Promise<void> {
  while ((await app.db.tx(orgId, (tx) => deleteRequestsOf(tx, orgId, BATCH))) === BATCH);
}
