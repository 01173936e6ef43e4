// Sending, and looking after what was sent.

import { present } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { TIME_HOURS } from './deliveries/backoff.ts'
import { deliver } from './deliveries/deliver.ts'
import * as sql from './deliveries/deliveries-sql.ts'
import { giveTurn } from './deliveries/endpoint-queue.ts'
import { DELIVER, type DeliverPayload, queueTurn, SPREAD, type SpreadPayload, spread } from './emit.ts'

// One organisation's slow endpoints hold up at most so many workers of all replicas together: fewer than the crew has.
const PER_ORG = 2
const OUT_OF_TIME = `Not delivered within ${TIME_HOURS} hours: the endpoint kept failing or was too slow.`
const KEPT_DAYS = 30
const LEFT_BEHIND_HOURS = 1
const AT_ONCE = 1_000
const ROUNDS_MAX = 20

export const hookJobs = [
  job<DeliverPayload>(DELIVER, {
    perOrg: PER_ORG,
    // Receivers take their time. Mails and all else do not wait for them.
    crew: 'webhooks',
    run: (app, { payload, org, signal }) => {
      const orgId = present(org, 'a delivery is an organisation’s')
      return 'deliveryId' in payload
        ? deliver(app, orgId, payload.deliveryId, { signal })
        : giveTurn(app, orgId, payload.endpointId, { signal })
    },
  }),
  job<SpreadPayload>(SPREAD, {
    run: (app, { payload, org }) => {
      const orgId = present(org, 'an event is an organisation’s')
      return app.db.tx(orgId, (tx) => spread(tx, orgId, payload.eventId))
    },
  }),
  job('hooks.tidy', {
    async run(app) {
      await endOverdue(app)
      await sendLeftBehind(app)
      await forgetOldEvents(app)
    },
  }),
]

export const hookSchedules: Schedule[] = [{ name: 'hooks.tidy', job: 'hooks.tidy', everySeconds: 3_600 }]

/** Endpoints for which something waits whose job died, because the database was away for long, get another. */
export function sendLeftBehind(app: App): Promise<number> {
  return app.db.tx('platform', async (tx) => {
    const left = await sql.leftBehind(tx, before(tx.now, { hours: LEFT_BEHIND_HOURS }), AT_ONCE)
    for (const { endpointId, orgId } of left) await queueTurn(tx, orgId, endpointId, tx.now)
    return left.length
  })
}

/** What an endpoint that does not work had no turn for in time has failed, and says so. */
export const endOverdue = (app: App): Promise<void> => {
  const createdBefore = before(app.clock.now(), { hours: TIME_HOURS })
  return inRounds(app, (tx) => sql.endOverdue(tx, createdBefore, OUT_OF_TIME, AT_ONCE))
}

export const forgetOldEvents = (app: App): Promise<void> => {
  const createdBefore = before(app.clock.now(), { days: KEPT_DAYS })
  return inRounds(app, (tx) => sql.deleteEvents(tx, createdBefore, AT_ONCE))
}

/** What is left at the bound waits for the next hour. */
async function inRounds(app: App, work: (tx: Tx) => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) if ((await app.db.tx('platform', work)) < AT_ONCE) return
}
