// Sending, and looking after what was sent.

import { present } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
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
} from './emit.ts'

// One organisation's slow endpoints hold up at most so many workers of all replicas together: fewer than the crew has.
const PER_ORG = 2
const OUT_OF_TIME = `Not delivered within ${DELIVERY_HOURS_MAX} hours: the endpoint kept failing or was too slow.`
const RETENTION_DAYS = 30
const STALLED_HOURS = 1
const BATCH = 1_000
const BATCHES_MAX = 20

export const hookJobs = [
  job<DeliverPayload>(DELIVER, {
    perOrg: PER_ORG,
    // Receivers take their time. Mails and all else do not wait for them.
    pool: 'webhooks',
    run: (app, { payload, org, signal }) => {
      const orgId = present(org, 'a delivery is an organisation’s')
      return 'deliveryId' in payload
        ? deliver(app, orgId, payload.deliveryId, { signal })
        : processEndpoint(app, orgId, payload.endpointId, { signal })
    },
  }),
  job<SpreadPayload>(SPREAD, {
    run: (app, { payload, org }) => {
      const orgId = present(org, 'an event is an organisation’s')
      return app.db.tx(orgId, (tx) => enqueueDeliveries(tx, orgId, payload.eventId))
    },
  }),
  job('hooks.tidy', {
    async run(app) {
      await failOverdue(app)
      await requeueStalled(app)
      await deleteOldEvents(app)
    },
  }),
]

export const hookSchedules: Schedule[] = [{ name: 'hooks.tidy', job: 'hooks.tidy', everySeconds: 3_600 }]

/** Endpoints for which something waits whose job died, because the database was away for long, get another. */
export function requeueStalled(app: App): Promise<number> {
  return app.db.tx('platform', async (tx) => {
    const left = await sql.findStalled(tx, before(tx.now, { hours: STALLED_HOURS }), BATCH)
    for (const { endpointId, orgId } of left) await enqueueEndpointCheck(tx, orgId, endpointId, tx.now)
    return left.length
  })
}

/** What an endpoint that does not work had no turn for in time has failed, and says so. */
export const failOverdue = (app: App): Promise<void> => {
  const createdBefore = before(app.clock.now(), { hours: DELIVERY_HOURS_MAX })
  return inBatches(app, (tx) => sql.failOverdue(tx, createdBefore, OUT_OF_TIME, BATCH))
}

export const deleteOldEvents = (app: App): Promise<void> => {
  const createdBefore = before(app.clock.now(), { days: RETENTION_DAYS })
  return inBatches(app, (tx) => sql.deleteEvents(tx, createdBefore, BATCH))
}

/** What is left at the bound waits for the next hour. */
async function inBatches(app: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  for (let round = 0; round < BATCHES_MAX; round++) if ((await app.db.tx('platform', work)) < BATCH) return
}
