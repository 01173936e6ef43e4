// Reconciles the previous day of every account, and continues interrupted runs.
import { after, before } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue, type JobKind, job, type Schedule } from '../../platform/jobs/jobs.ts'
import type { ProviderName } from '../channels.ts'
import { type Account, providers, usableAccounts } from '../rails/accounts.ts'
import { startOfDay } from './judge.ts'
import { OVERLAP, ProviderUnavailable } from './resolve.ts'
import { runReconciliation } from './run.ts'
import type { NewReconciliation, ReconciliationId } from './runs-sql.ts'
import * as sql from './runs-sql.ts'

/** Providers complete the list of a day some time after its end. */
const START_AFTER_DAY = { hours: 2 }
/** After an outage of the service. Older days are started by staff. */
const DAYS_BACK_MAX = 7
const RUNNING_MAX = 1_000
const SLICE_MS = 240_000

const startJob = job('payments.reconcile', { attempts: 1, run: (app) => startDueDays(app) })

const dayJob = job<{ id: ReconciliationId }>('payments.reconcile_day', {
  attempts: 8,
  backoff: { firstMs: 60_000, maxMs: 1_800_000 },
  timeoutMs: SLICE_MS + 60_000,
  // It waits for providers.
  pool: 'reconciliation',
  poolSize: 2,
  async run(app, { payload: { id }, signal }) {
    const slice = AbortSignal.any([signal, AbortSignal.timeout(SLICE_MS)])
    try {
      const isDone = await runReconciliation(app, id, slice)
      if (!isDone) await app.db.tx('platform', (tx) => enqueueRun(tx, id))
    } catch (error) {
      // The run has recorded the failure, and the next hourly start continues it.
      if (!(error instanceof ProviderUnavailable)) throw error
    }
  },
})

export const reconciliationJobs: readonly JobKind[] = [startJob as JobKind, dayJob as JobKind]
export const reconciliationSchedules: readonly Schedule[] = [
  { name: 'payments.reconcile', job: 'payments.reconcile', everySeconds: 3600 },
]

export const enqueueRun = (tx: Tx, id: ReconciliationId): Promise<void> =>
  enqueue(tx, 'payments.reconcile_day', { id }, { key: id })

/** Creates the runs of days without one, and enqueues every run that has not ended. */
export async function startDueDays(app: App): Promise<void> {
  await app.db.tx('platform', async (tx) => {
    const lastDue = before(startOfDay(before(tx.now, START_AFTER_DAY)), { days: 1 })
    for (const { name } of providers)
      for (const account of usableAccounts(app, { rail: name }))
        for (const day of await dueDays(tx, name, account, lastDue))
          await sql.insertRun(tx, runOfDay(name, account, day))
    for (const { id } of await sql.runningIds(tx, RUNNING_MAX)) await enqueueRun(tx, id)
  })
}

async function dueDays(tx: Tx, rail: ProviderName, { account }: Account, lastDue: Date): Promise<Date[]> {
  const last = await sql.lastDay(tx, rail, account)
  const earliest = before(lastDue, { days: DAYS_BACK_MAX - 1 })
  const next = last === null ? lastDue : after(new Date(`${last}T00:00:00.000Z`), { days: 1 })
  const days: Date[] = []
  for (let day = next < earliest ? earliest : next; day <= lastDue; day = after(day, { days: 1 }))
    days.push(day)
  return days
}

/** A payment may be started days before it is paid, so the list begins earlier than the credits. */
export function runOfDay(rail: ProviderName, account: Account, day: Date): NewReconciliation {
  const hasList = account.list !== undefined
  return {
    ...{ rail, account: account.account, day: day.toISOString().slice(0, 10) },
    source: hasList ? 'list' : 'status',
    step: hasList ? 'list' : 'pending',
    from: before(day, OVERLAP),
    until: after(day, { days: 1 }),
  }
}
