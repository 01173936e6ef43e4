// Checks all money: on request of staff, and every hour for the metrics.
import { billingChecks } from '../../billing/billing.ts'
import { invoiceChecks } from '../../invoices/invoices.ts'
import { usageChecks } from '../../metering/metering.ts'
import { paymentChecks } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import { checkHashes, copyCheck, runChecks, trialBalance, walletChecks } from '../../wallet/wallet.ts'
import * as sql from './checks-sql.ts'

const TRIAL_BALANCE = 'trial_balance'
const EVERY_SECONDS = 3_600
export const CHECK_TIMEOUT_MS = 240_000

/** `cursor` continues the last check, that of the hashes, which reads a page at a time. */
export async function checkLedger(app: App, cursor: string | undefined) {
  const { result, nextCursor } = await checkHashes(app, cursor)
  const checks = [
    ...(await runChecks(app, [
      ...walletChecks,
      ...(app.db.shards ? [copyCheck] : []),
      ...usageChecks,
      ...paymentChecks,
      ...invoiceChecks,
      ...billingChecks,
    ])),
    result,
  ]
  const trial = await trialBalance(app)
  const ok = [...checks, ...trial].every((each) => each.ok)
  return { ok, at: app.clock.now(), checks, trialBalance: trial, nextCursor }
}

export const checkLedgerJob = job('operators.check_ledger', {
  attempts: 2,
  timeoutMs: CHECK_TIMEOUT_MS,
  // It takes minutes on a large ledger, and must not delay other work.
  pool: 'ledger',
  poolSize: 1,
  run: (app) => recordLedgerChecks(app),
})

export const checkLedgerSchedule: Schedule = {
  name: 'operators.check_ledger',
  job: 'operators.check_ledger',
  everySeconds: EVERY_SECONDS,
}

/** Stores the results of the checks that finished. A page with a violation is checked again until it is repaired. */
export async function recordLedgerChecks(app: App): Promise<void> {
  const position = await app.db.tx('platform', (tx) => sql.findPosition(tx))
  const { checks, trialBalance: trial, nextCursor } = await checkLedger(app, position)
  const results = [
    ...checks.filter(({ finished }) => finished).map(({ name, violations }) => ({ name, violations })),
    { name: TRIAL_BALANCE, violations: BigInt(trial.filter(({ ok }) => !ok).length) },
  ]
  await app.db.tx('platform', async (tx) => {
    await sql.saveResults(tx, results)
    const hashes = checks.at(-1)
    if (hashes?.ok) await sql.savePosition(tx, hashes.name, nextCursor)
  })
  const violated = results.filter(({ violations }) => violations > 0n).map(({ name }) => name)
  const unfinished = checks.filter(({ finished }) => !finished).map(({ name }) => name)
  if (violated.length > 0) app.log.error({ checks: violated }, 'operators.ledger.violated')
  if (unfinished.length > 0) app.log.warn({ checks: unfinished }, 'operators.ledger.unfinished')
}
