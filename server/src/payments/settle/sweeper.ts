// The sweeper: checks pending payments with their providers, for webhooks that never arrived, and deletes old events.
import { after, before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { deleteInBatches, type RetainedTable } from '../../platform/retention.ts'
import { deleteEvents, oldestProcessedEvent } from '../sql/payment-events.ts'
import { claimDuePayments } from '../sql/payment-status.ts'
import { CLAIM_DURATION } from './check-schedule.ts'
import { reconcilePayment } from './reconcile.ts'
import { eventJob, resumeEvents } from './webhooks/events.ts'

const BATCH_SIZE = 40
const BATCHES_MAX = 10

const sweepJob = job('payments.sweep', {
  attempts: 1,
  timeoutMs: 80_000,
  async run(app, { signal }) {
    await resumeEvents(app)
    await sweepPayments(app, signal)
  },
})

/** Events contain personal data. Disputes are over after this time. */
const EVENT_RETENTION = { days: 400 }
const DELETE_BATCHES = { size: 2_000, most: 10 }
const FORGET_EVENTS = 'payments.forgetEvents'

export const retainedPaymentEvents: RetainedTable = {
  table: 'payment_events',
  keptDays: () => EVENT_RETENTION.days,
  oldest: oldestProcessedEvent,
}

const deleteEventsJob = job(FORGET_EVENTS, {
  attempts: 1,
  run: (app) => deleteOldEvents(app),
})

export const paymentJobs: readonly JobKind[] = [
  eventJob as JobKind,
  sweepJob as JobKind,
  deleteEventsJob as JobKind,
]
export const paymentSchedules: readonly Schedule[] = [
  { name: FORGET_EVENTS, job: FORGET_EVENTS, everySeconds: 86_400 },
  { name: 'payments.sweep', job: 'payments.sweep', everySeconds: 15 },
]

/**
 * Reconciles all due payments in batches and returns their number. The rest waits for the next run. A claim lasts longer
 * than a provider call, so two replicas never check the same payment at once.
 */
export async function sweepPayments(app: App, signal?: AbortSignal): Promise<number> {
  let checked = 0
  for (let batch = 0; batch < BATCHES_MAX && !signal?.aborted; batch++) {
    const due = await app.db.tx('platform', (tx) =>
      claimDuePayments(tx, BATCH_SIZE, after(tx.now, CLAIM_DURATION)),
    )
    await Promise.all(due.map(({ reference }) => reconcileOne(app, reference)))
    checked += due.length
    if (due.length < BATCH_SIZE) break
  }
  return checked
}

export const deleteOldEvents = (app: App, batches = DELETE_BATCHES): Promise<void> =>
  deleteInBatches(app, FORGET_EVENTS, batches, (tx) =>
    deleteEvents(tx, before(tx.now, EVENT_RETENTION), batches.size),
  )

/** A failure does not stop the batch: the claim expires by itself. */
async function reconcileOne(app: App, reference: string): Promise<void> {
  try {
    await reconcilePayment(app, reference, 'sweep')
  } catch (error) {
    app.log.error({ err: error, reference }, 'payments.sweep.reconcile_failed')
  }
}
