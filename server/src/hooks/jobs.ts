// Jobs that send webhooks, retry stalled deliveries and delete old events.

import { present } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { deleteInBatches, type RetainedTable } from '../platform/retention.ts'
import { DELIVERY_HOURS_MAX } from './deliveries/backoff.ts'
import { deliver } from './deliveries/deliver.ts'
import * as sql from './deliveries/deliveries-sql.ts'
import { processEndpoint } from './deliveries/endpoint-queue.ts'
import {
  DELIVER,
  type DeliverPayload,
  enqueueDeliveries,
  enqueueEndpointCheck,
  SPREAD,
  type SpreadPayload,
} from './hooks.ts'

// Concurrent deliveries of one organisation over all replicas: fewer than workers, so slow endpoints do not block others.
const PER_ORG = 2
const OUT_OF_TIME = `Not delivered within ${DELIVERY_HOURS_MAX} hours: the endpoint kept failing or was too slow.`
const TIDY = 'hooks.tidy'
const RETENTION_DAYS = 30
const STALLED_HOURS = 1
const BATCH = 1_000
const BATCHES_MAX = 20

export const hookJobs = [
  job<DeliverPayload>(DELIVER, {
    perOrg: PER_ORG,
    // Receivers can be slow. A separate worker pool keeps mails and other jobs from waiting.
    pool: 'webhooks',
    run: (app, { payload, org, signal }) => {
      const orgId = present(org, 'a delivery belongs to an organisation')
      return 'deliveryId' in payload
        ? deliver(app, orgId, payload.deliveryId, { signal })
        : processEndpoint(app, orgId, payload.endpointId, { signal })
    },
  }),
  job<SpreadPayload>(SPREAD, {
    run: (app, { payload, org }) => {
      const orgId = present(org, 'an event belongs to an organisation')
      return app.db.tx(orgId, (tx) => enqueueDeliveries(tx, orgId, payload.eventId))
    },
  }),
  job(TIDY, {
    async run(app) {
      await failOverdue(app)
      await requeueStalled(app)
      await deleteOldEvents(app)
    },
  }),
]

export const hookSchedules: Schedule[] = [{ name: TIDY, job: TIDY, everySeconds: 3_600 }]

/** Enqueues a check for endpoints with overdue deliveries, whose jobs were lost in a long database outage. */
export function requeueStalled(app: App): Promise<number> {
  return app.db.tx('platform', async (tx) => {
    const stalled = await sql.findStalled(tx, before(tx.now, { hours: STALLED_HOURS }), BATCH)
    for (const { endpointId, orgId } of stalled) await enqueueEndpointCheck(tx, orgId, endpointId, tx.now)
    return stalled.length
  })
}

/** Fails deliveries to failing endpoints that were not delivered within the time limit. */
export const failOverdue = (app: App): Promise<void> => {
  const createdBefore = before(app.clock.now(), { hours: DELIVERY_HOURS_MAX })
  return inBatches(app, (tx) => sql.failOverdue(tx, createdBefore, OUT_OF_TIME, BATCH))
}

export const retainedEvents: RetainedTable = {
  table: 'hook_events',
  keptDays: () => RETENTION_DAYS,
  oldest: sql.oldestEvent,
}

export const deleteOldEvents = (app: App, batches = { size: BATCH, most: BATCHES_MAX }): Promise<void> => {
  const createdBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  return deleteInBatches(app, TIDY, batches, (tx) => sql.deleteEvents(tx, createdBefore, batches.size))
}

/** The next hourly run processes the rest. */
async function inBatches(app: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  for (let round = 0; round < BATCHES_MAX; round++) if ((await app.db.tx('platform', work)) < BATCH) return
}
