// Payments whose message never came: they are asked about until they are decided or too old to matter.
import { after, before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { deleteEvents } from '../sql/payment-events.ts'
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

/** Messages name people. After this nobody disputes what they said any more. */
const EVENT_RETENTION = { days: 400 }
const DELETE_BATCH_SIZE = 2_000

const deleteEventsJob = job('payments.forgetEvents', {
  attempts: 1,
  run: (app) => deleteOldEvents(app),
})

export const paymentJobs: readonly JobKind[] = [
  eventJob as JobKind,
  sweepJob as JobKind,
  deleteEventsJob as JobKind,
]
export const paymentSchedules: readonly Schedule[] = [
  { name: 'payments.forgetEvents', job: 'payments.forgetEvents', everySeconds: 86_400 },
  { name: 'payments.sweep', job: 'payments.sweep', everySeconds: 15 },
]

/**
 * Asks about all that is due, in rounds; what is left at the bound waits for the next run. A payment is claimed for
 * longer than its question can take, so that no two replicas ask about it at once. Says how many were asked about.
 */
export async function sweepPayments(app: App, signal?: AbortSignal): Promise<number> {
  let asked = 0
  for (let round = 0; round < BATCHES_MAX && !signal?.aborted; round++) {
    const due = await app.db.tx('platform', (tx) =>
      claimDuePayments(tx, BATCH_SIZE, after(tx.now, CLAIM_DURATION)),
    )
    await Promise.all(due.map(({ reference }) => reconcileOne(app, reference)))
    asked += due.length
    if (due.length < BATCH_SIZE) break
  }
  return asked
}

/** In rounds; what is left at the bound waits for the next day. */
export async function deleteOldEvents(app: App): Promise<void> {
  for (let round = 0; round < BATCHES_MAX; round++) {
    const forgotten = await app.db.tx('platform', (tx) =>
      deleteEvents(tx, before(tx.now, EVENT_RETENTION), DELETE_BATCH_SIZE),
    )
    if (forgotten < DELETE_BATCH_SIZE) return
  }
}

/** One that fails stops no other: its claim ends by itself. */
async function reconcileOne(app: App, reference: string): Promise<void> {
  try {
    await reconcilePayment(app, reference, 'sweep')
  } catch (error) {
    app.log.error({ err: error, reference }, 'a payment could not be checked')
  }
}
