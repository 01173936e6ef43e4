// Background work of invoices.
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { invoiceOldPayments } from './backfill.ts'

const backfill = job('invoices.backfill', {
  attempts: 1,
  timeoutMs: 300_000,
  async run(app) {
    await invoiceOldPayments(app)
  },
})

export const invoiceJobs: readonly JobKind[] = [backfill]
export const invoiceSchedules: readonly Schedule[] = [
  { name: 'invoices.backfill', job: 'invoices.backfill', everySeconds: 3600 },
]
