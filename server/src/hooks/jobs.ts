// Sending, and looking after what was sent.

import { present } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { job, type Schedule } from '../platform/jobs/jobs.ts'
import { deliver } from './deliver.ts'
import * as sql from './deliveries-sql.ts'
import { DELIVER, type DeliverPayload, queue, SPREAD, type SpreadPayload, spread } from './emit.ts'

// One organisation's slow endpoints hold up at most so many workers of all replicas together.
const PER_ORG = 3
const KEPT_DAYS = 30
const LEFT_BEHIND_HOURS = 1
const AT_ONCE = 1_000
const ROUNDS_MAX = 20

export const hookJobs = [
  job<DeliverPayload>(DELIVER, {
    perOrg: PER_ORG,
    run: (app, { payload, org, signal }) =>
      deliver(app, present(org, 'a delivery is an organisation’s'), payload.deliveryId, { signal }),
  }),
  job<SpreadPayload>(SPREAD, {
    run: (app, { payload, org }) => {
      const orgId = present(org, 'an event is an organisation’s')
      return app.db.tx(orgId, (tx) => spread(tx, orgId, payload.eventId))
    },
  }),
  job('hooks.tidy', {
    async run(app) {
      await sendLeftBehind(app)
      await forgetOldEvents(app)
    },
  }),
]

export const hookSchedules: Schedule[] = [{ name: 'hooks.tidy', job: 'hooks.tidy', everySeconds: 3_600 }]

/** A delivery whose job died, because the database was away for long, gets another. */
export function sendLeftBehind(app: App): Promise<number> {
  return app.db.tx('platform', async (tx) => {
    const left = await sql.leftBehind(tx, before(tx.now, { hours: LEFT_BEHIND_HOURS }), AT_ONCE)
    for (const { id, orgId } of left) await queue(tx, orgId, id, tx.now)
    return left.length
  })
}

/** What is left at the bound waits for the next hour. */
export async function forgetOldEvents(app: App): Promise<void> {
  const createdBefore = before(app.clock.now(), { days: KEPT_DAYS })
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const gone = await app.db.tx('platform', (tx) => sql.deleteEvents(tx, createdBefore, AT_ONCE))
    if (gone < AT_ONCE) return
  }
}
