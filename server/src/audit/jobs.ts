// Background work of the audit log.
import { type JobKind, job, type Schedule } from '../platform/jobs/jobs.ts'
import { anchorChains } from './anchors/anchor-job.ts'

const ANCHOR = 'audit.anchor'
const EVERY_SECONDS = 300

export const auditJobs: readonly JobKind[] = [
  job(ANCHOR, {
    timeoutMs: (EVERY_SECONDS - 30) * 1000,
    run: (app, { signal }) => anchorChains(app, signal),
  }),
]

export const auditSchedules: readonly Schedule[] = [
  { name: 'audit.anchor', job: ANCHOR, everySeconds: EVERY_SECONDS },
]
