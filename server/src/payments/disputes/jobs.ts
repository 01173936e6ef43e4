// Reminds staff of the deadlines of disputes, and opens a case for a missed one.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { missedCaseKey } from '../settle/returns/dispute-freeze.ts'
import { alertStaff, openCase } from '../settle/staff-alerts.ts'
import { paymentByReference } from '../sql/payments.ts'
import { approvedAnswerJob } from './approved-answer.ts'
import { claimReminders } from './sql.ts'

const FIRST_REMINDER = { hours: 48 }
const SECOND_REMINDER = { hours: 12 }
const MISSED = 3
const BATCH_SIZE = 100

const deadlinesJob = job('payments.disputeDeadlines', { attempts: 1, run: (app) => remindOfDeadlines(app) })

export const disputeJobs: readonly JobKind[] = [deadlinesJob as JobKind, approvedAnswerJob as JobKind]
export const disputeSchedules: readonly Schedule[] = [
  { name: 'payments.disputeDeadlines', job: 'payments.disputeDeadlines', everySeconds: 900 },
]

/** The alerts are in the transaction that counts the reminder. The rest waits for the next run. */
export function remindOfDeadlines(app: App): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const due = await claimReminders(
      tx,
      after(tx.now, FIRST_REMINDER),
      after(tx.now, SECOND_REMINDER),
      BATCH_SIZE,
    )
    for (const { id, reference, returnKey, dueAt, reminder } of due) {
      const payment = await paymentByReference(tx, reference)
      if (!payment) continue
      const deadline = `${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
      const link = `See ${app.config.baseUrl}/app/ops/disputes/${id}.`
      if (reminder < MISSED) {
        await alertStaff(app, tx, payment, 'A dispute needs an answer', [
          `Without an answer by ${deadline} the payer wins the dispute.`,
          link,
        ])
        continue
      }
      const summary = `The deadline of a dispute has passed without an answer from here (${deadline}).`
      await openCase(tx, { key: missedCaseKey(reference, returnKey), kind: 'dispute', payment, summary })
      await alertStaff(app, tx, payment, 'The deadline of a dispute has passed', [summary, link])
    }
  })
}
