// The sweeper of expired holds: after a crash of the work, the deadline returns the customer's money.
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type ReadWallets, visitWallets } from '../../platform/db/citus/visit-shards.ts'
import type { Sql } from '../../platform/db/tx.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { expire, type HoldId } from './holds.ts'

const BATCH_SIZE = 500
const ROUNDS_MAX = 40

export const expiryJob = job('wallet.expireHolds', {
  attempts: 1,
  async run(app) {
    await expireDueHolds(app)
  },
})

export const expirySchedule: Schedule = {
  name: 'wallet.expireHolds',
  job: 'wallet.expireHolds',
  everySeconds: 30,
}

/** Ends due holds and returns their number. */
export async function expireDueHolds(app: App): Promise<number> {
  const ended = await visitWallets(app, (read) => expireBatches(app, read))
  return ended.reduce((sum, count) => sum + count, 0)
}

/** The next run continues after the last round. */
async function expireBatches(app: App, read: ReadWallets): Promise<number> {
  let ended = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await read((sql) => dueHolds(sql, app.clock.now(), BATCH_SIZE))
    const outcomes = await Promise.all(due.map((hold) => tryToExpire(app, hold)))
    const endedNow = outcomes.filter(Boolean).length
    ended += endedNow
    if (due.length < BATCH_SIZE || endedNow === 0) break
  }
  return ended
}

/** A failure does not stop the others. The hold stays due and the next run retries it. */
async function tryToExpire(app: App, hold: DueHold): Promise<boolean> {
  try {
    return await expire(app, hold)
  } catch (error) {
    app.log.error({ err: error, ...hold }, 'wallet.hold.expire_failed')
    return false
  }
}

type DueHold = { orgId: OrgId; holdId: HoldId }

/** Open holds after their deadline, the oldest first. */
function dueHolds(sql: Sql, now: Date, limit: number): Promise<DueHold[]> {
  return sql.rows<DueHold>`
    select org_id as "orgId", id as "holdId" from holds
    where state = 'open' and deadline <= ${now} order by deadline limit ${limit}`
}
