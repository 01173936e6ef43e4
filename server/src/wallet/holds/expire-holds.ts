// Holds whose work was lost end by their deadline: a crash never keeps a customer's money.
import type { App } from '../../platform/app.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { type DueHold, dueHolds } from '../sql.ts'
import { expire } from './holds.ts'

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

/** Ends what is due, in rounds; what is left at the bound waits for the next run. Says how many ended. */
export async function expireDueHolds(app: App): Promise<number> {
  let ended = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const due = await app.db.tx('platform', (tx) => dueHolds(tx, BATCH_SIZE))
    const outcomes = await Promise.all(due.map((hold) => tryToExpire(app, hold)))
    const endedNow = outcomes.filter(Boolean).length
    ended += endedNow
    if (due.length < BATCH_SIZE || endedNow === 0) break
  }
  return ended
}

/** One that fails stops no other: it stays due, and is tried again by the next run. */
async function tryToExpire(app: App, hold: DueHold): Promise<boolean> {
  try {
    return await expire(app, hold)
  } catch (error) {
    app.log.error({ err: error, ...hold }, 'wallet.hold.expire_failed')
    return false
  }
}
