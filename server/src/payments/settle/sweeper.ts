// Payments whose message never came: they are asked about until they are decided or too old to matter.
import { after, before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { forgetEvents } from '../sql/payment-events.ts'
import { claimDue } from '../sql/settle-sql.ts'
import { CLAIM } from './check-schedule.ts'
import { checkPayment } from './reconcile.ts'
import { eventJob, resumeEvents } from './webhooks/events.ts'

const AT_ONCE = 40
const ROUNDS_MAX = 10

const sweepJob = job('payments.sweep', {
  attempts: 1,
  timeoutMs: 80_000,
  async run(app, { signal }) {
    await resumeEvents(app)
    await sweepPayments(app, signal)
  },
})

/** Messages name people. After this nobody disputes what they said any more. */
const EVENTS_KEPT = { days: 400 }
const FORGOTTEN_AT_ONCE = 2_000

const forgetJob = job('payments.forgetEvents', {
  attempts: 1,
  run: (app) => forgetOldEvents(app),
})

export const paymentJobs: readonly JobKind[] = [
  eventJob as JobKind,
  sweepJob as JobKind,
  forgetJob as JobKind,
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
  for (let round = 0; round < ROUNDS_MAX && !signal?.aborted; round++) {
    const due = await app.db.tx('platform', (tx) => claimDue(tx, AT_ONCE, after(tx.now, CLAIM)))
    await Promise.all(due.map(({ reference }) => checkOne(app, reference)))
    asked += due.length
    if (due.length < AT_ONCE) break
  }
  return asked
}

/** In rounds; what is left at the bound waits for the next day. */
export async function forgetOldEvents(app: App): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const forgotten = await app.db.tx('platform', (tx) =>
      forgetEvents(tx, before(tx.now, EVENTS_KEPT), FORGOTTEN_AT_ONCE),
    )
    if (forgotten < FORGOTTEN_AT_ONCE) return
  }
}

/** One that fails stops no other: its claim ends by itself. */
async function checkOne(app: App, reference: string): Promise<void> {
  try {
    await checkPayment(app, reference, 'sweep')
  } catch (error) {
    app.log.error({ err: error, reference }, 'a payment could not be checked')
  }
}
