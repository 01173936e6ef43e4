// Expires trial credit. Work that began before the expiry may still use the part that it holds; the sweeper takes the rest of
// that part after the work.
import { record } from '../../audit/audit.ts'
import type { App } from '../../platform/app.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { lockWallet } from '../balances.ts'
import { debit } from '../ledger/postings.ts'
import * as sql from './sql.ts'

const BATCH = 200

export const expireTrialsJob = job('wallet.expireTrials', {
  attempts: 1,
  async run(app) {
    await expireDueTrials(app)
  },
})

export const expireTrialsSchedule: Schedule = {
  name: 'wallet.expireTrials',
  job: 'wallet.expireTrials',
  everySeconds: 600,
}

/** Returns the number of expired credits. The next run continues with the others. */
export async function expireDueTrials(app: App): Promise<number> {
  let expired = 0
  const orgs = await sql.orgsWithDueTrials(app, BATCH)
  for (const trial of await app.db.tx('platform', (tx) => sql.trialsOf(tx, orgs))) {
    try {
      if (await expireTrial(app, trial)) expired++
    } catch (error) {
      app.log.error({ err: error, ...trial }, 'wallet.trial.expire_failed')
    }
  }
  return expired
}

function expireTrial(app: App, { id, orgId }: sql.DueTrial): Promise<boolean> {
  return app.db.tx(orgId, async (tx) => {
    await lockWallet(tx, orgId)
    const due = await sql.readDueTrial(tx, id)
    if (!due) return false
    const { postedMinor, entryId } = await debit(app, tx, {
      orgId,
      amountMinor: due.leftMinor,
      leastMinor: 1n,
      source: 'trial',
      ref: id,
      cause: `trial expiry ${id} ${due.expiredMinor}`,
      account: 'promotions',
    })
    if (postedMinor === 0n) return false
    await sql.addExpired(tx, id, postedMinor)
    await record(tx, {
      orgId,
      actor: { kind: 'system' },
      action: 'trial.expire',
      target: id,
      metadata: { amountMinor: postedMinor, entryId },
    })
    tx.afterCommit(() => app.metrics.trialCredit('expired'))
    return true
  })
}
