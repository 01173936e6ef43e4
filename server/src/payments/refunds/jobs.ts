// Sends requested refunds at once, and follows undecided ones.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue, type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { advanceRefund, REFUND_CLAIM } from './advance.ts'
import { claimDueRefunds, type SourceRefundId } from './sql.ts'

const BATCH_SIZE = 20

/** One attempt: the sweep continues after a crash. */
const refundJob = job<{ id: SourceRefundId }>('payments.refund', {
  attempts: 1,
  run: (app, { payload: { id } }) => advanceRefund(app, id),
})

const sweepJob = job('payments.refunds', {
  attempts: 1,
  timeoutMs: 80_000,
  run: (app) => sweepRefunds(app),
})

export const refundJobs: readonly JobKind[] = [refundJob as JobKind, sweepJob as JobKind]
export const refundSchedules: readonly Schedule[] = [
  { name: 'payments.refunds', job: 'payments.refunds', everySeconds: 60 },
]

export const enqueueRefund = (tx: Tx, id: SourceRefundId): Promise<void> =>
  enqueue(tx, 'payments.refund', { id }, { key: id })

/** The rest waits for the next run. */
export async function sweepRefunds(app: App): Promise<void> {
  const due = await app.db.tx('platform', (tx) =>
    claimDueRefunds(tx, BATCH_SIZE, after(tx.now, REFUND_CLAIM)),
  )
  await Promise.all(due.map(({ id }) => advanceOne(app, id)))
}

/** A failure does not stop the batch: the claim expires by itself. */
async function advanceOne(app: App, id: SourceRefundId): Promise<void> {
  try {
    await advanceRefund(app, id)
  } catch (error) {
    app.log.error({ err: error, refundId: id }, 'payments.refund.sweep_failed')
  }
}
