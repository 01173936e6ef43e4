// Submits queued documents, and finds those whose job was lost.
import { before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { activeAuthority } from './authorities.ts'
import { enqueueSubmission } from './queue.ts'
import { overdue, type SubmissionId } from './sql.ts'
import { ATTEMPT_MS, submitDocument } from './submit.ts'

/** Authorities limit requests per minute, and answer within seconds. */
export const SUBMITTERS_PER_REPLICA = 2

const submitJob = job<{ id: SubmissionId }>('einvoices.submit', {
  attempts: 3,
  timeoutMs: ATTEMPT_MS + 10_000,
  // It waits for the authority.
  pool: 'einvoices',
  poolSize: SUBMITTERS_PER_REPLICA,
  run: (app, { payload: { id }, signal }) => submitDocument(app, id, signal),
})

const SWEEP_SECONDS = 300
const SWEEP_ROWS_MAX = 500

const sweepJob = job('einvoices.sweep', { attempts: 1, run: (app) => queueOverdue(app) })

export const einvoiceJobs: readonly JobKind[] = [submitJob as JobKind, sweepJob as JobKind]
export const einvoiceSchedules: readonly Schedule[] = [
  { name: 'einvoices.sweep', job: 'einvoices.sweep', everySeconds: SWEEP_SECONDS },
]

/** Queues submissions that are due for some time, for example after the keys were missing. */
export async function queueOverdue(app: App): Promise<void> {
  const authority = activeAuthority(app)
  if (!authority) return
  await app.db.tx('platform', async (tx) => {
    const dueBefore = before(tx.now, { seconds: SWEEP_SECONDS })
    for (const { id } of await overdue(tx, authority.name, dueBefore, SWEEP_ROWS_MAX))
      await enqueueSubmission(tx, id)
  })
}
