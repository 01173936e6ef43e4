// The background jobs of automatic top-ups.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import { orgsDueForTopup } from '../../wallet/wallet.ts'
import { orgsToCheck } from '../topup-rule/topup-rule-sql.ts'
import { runAutomaticTopup } from './run-topup.ts'

const RUN = 'billing.automaticTopup'
const FIND = 'billing.findAutomaticTopups'
const BATCH = 500

const runJob = job<{ orgId: OrgId }>(RUN, {
  attempts: 3,
  perOrg: 1,
  timeoutMs: 90_000,
  // A charge waits for the bank.
  pool: 'cards',
  run: (app, { payload, signal }) => runAutomaticTopup(app, payload.orgId, signal),
})

const findJob = job(FIND, { attempts: 1, run: (app) => findAutomaticTopups(app) })

/** Enqueues a job for each wallet below its threshold and for each check that is due. A wallet stays due until its job runs. */
export async function findAutomaticTopups(app: App): Promise<void> {
  const below = await orgsDueForTopup(app, BATCH)
  await app.db.tx('platform', async (tx) => {
    for (const orgId of new Set([...below, ...(await orgsToCheck(tx, BATCH))]))
      await enqueue(tx, RUN, { orgId }, { org: orgId, key: 'automatic top-up' })
  })
}

export const automaticTopupJobs: readonly JobKind[] = [runJob as JobKind, findJob as JobKind]
export const automaticTopupSchedules: readonly Schedule[] = [{ name: FIND, job: FIND, everySeconds: 10 }]
