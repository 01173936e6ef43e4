import { before } from '../kernel/clock.ts'
import { job } from '../platform/jobs/jobs.ts'
import { ageSeconds } from '../platform/log/figures.ts'
import type { Module } from '../platform/module.ts'
import { KEPT_HOURS } from './deliver.ts'
import { pushJob, SEND_JOB } from './push.ts'
import { pushRoutes } from './routes.ts'
import { deleteOldMessages, deleteOrgMessages, oldestMessage } from './sql.ts'

const BATCH = 1_000

import { sealedAuth } from './subscriptions.ts'
import { sealedPushKey } from './vapid.ts'

export const push: Module = {
  name: 'push',
  tables: ['push_subscriptions', 'push_messages', 'push_deliveries', 'push_keys'],
  routes: pushRoutes,
  jobs: [
    pushJob(SEND_JOB),
    job('push.tidy', {
      async run(app) {
        const createdBefore = before(app.clock.now(), { hours: 2 * KEPT_HOURS })
        await app.db.tx('platform', (tx) => deleteOldMessages(tx, createdBefore, BATCH))
      },
    }),
  ],
  schedules: [{ name: 'push.tidy', job: 'push.tidy', everySeconds: 86_400 }],
  figures: [
    {
      name: 'push',
      metrics: { push_queue_age_seconds: 'Time since the oldest unsent push notification was queued.' },
      read: async (tx) => [['push_queue_age_seconds', ageSeconds(tx.now, await oldestMessage(tx))]],
    },
  ],
  tenantData: {
    withheld: {
      push_messages: 'notifications of the last day; every fact is in another list',
      push_deliveries: 'notifications that are being sent',
    },
    close: (_app, tx, { orgId }) => deleteOrgMessages(tx, orgId),
    // Deletes messages of transactions that were still running when the organisation was closed.
    erase: (app, orgId) => app.db.tx(orgId, (tx) => deleteOrgMessages(tx, orgId)),
  },
  sealed: [sealedAuth, sealedPushKey],
}
