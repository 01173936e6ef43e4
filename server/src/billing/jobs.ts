// Background jobs of billing.
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { automaticTopupJobs, automaticTopupSchedules } from './automatic/jobs.ts'
import { cardJobs, cardSchedules } from './cards/card-expiry.ts'
import { abandonExpiredCheckouts } from './changes/checkout.ts'
import { leadJobs, leadSchedules } from './leads/leads.ts'
import { previewJobs, previewSchedules } from './quotes/previews.ts'
import { sendRenewalNotices } from './renewals/renewal-notice.ts'
import { runRenewals } from './renewals/renewals.ts'
import { refillAllowances } from './subscriptions/allowance-refills.ts'

const renewalJob = job('billing.renewals', {
  attempts: 1,
  timeoutMs: 120_000,
  async run(app, { signal }) {
    const refilled = await refillAllowances(app, signal)
    const run = await runRenewals(app, signal)
    const decided = Object.values(run).reduce((sum, count) => sum + count, 0) - run.skipped
    if (refilled + decided > 0) app.log.info({ ...run, refilled }, 'billing.renewals.completed')
    await abandonExpiredCheckouts(app, signal)
  },
})

const noticeJob = job('billing.renewalNotice', {
  attempts: 1,
  async run(app, { signal }) {
    await sendRenewalNotices(app, signal)
  },
})

export const billingJobs: readonly JobKind[] = [
  renewalJob as JobKind,
  noticeJob as JobKind,
  ...cardJobs,
  ...automaticTopupJobs,
  ...previewJobs,
  ...leadJobs,
]
export const billingSchedules: readonly Schedule[] = [
  { name: 'billing.renewals', job: 'billing.renewals', everySeconds: 300 },
  { name: 'billing.renewalNotice', job: 'billing.renewalNotice', everySeconds: 3_600 },
  ...cardSchedules,
  ...automaticTopupSchedules,
  ...previewSchedules,
  ...leadSchedules,
]
