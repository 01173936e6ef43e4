// Records the health of provider accounts for staff. Contains no secrets, and is not written on every call.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import * as sql from '../sql/rail-health.ts'
import type { Account } from './accounts.ts'

/** A replica writes an unchanged result at most this often. */
const WRITE_INTERVAL = { seconds: 30 }
const REASON_CHARACTERS_MAX = 200

export type AccountKey = Pick<Account, 'name' | 'account'>

export const recordSuccess = (app: App, account: AccountKey): Promise<void> =>
  record(app, account, null, null)

/** The provider answered that it does not accept our keys. */
export const recordRefusedKeys = (app: App, account: AccountKey, status: number): Promise<void> =>
  record(app, account, `It refused our keys (status ${status}).`, null, true)

export const recordFailure = (
  app: App,
  account: AccountKey,
  reason: string,
  pausedUntil: Date | null,
): Promise<void> => record(app, account, reason.slice(0, REASON_CHARACTERS_MAX), pausedUntil)

async function record(
  app: App,
  { name, account }: AccountKey,
  failure: string | null,
  pausedUntil: Date | null,
  areKeysRefused = false,
) {
  const now = app.clock.now()
  const records = lastRecords.get(app) ?? new Map<string, LastRecord>()
  lastRecords.set(app, records)
  const key = `${name} ${account}`
  const last = records.get(key)
  if (last?.failure === failure && pausedUntil === null && now < after(last.at, WRITE_INTERVAL)) return
  records.set(key, { failure, at: now })
  try {
    await app.db.tx('platform', (tx) =>
      sql.upsertHealth(tx, { rail: name, account, failure, pausedUntil, areKeysRefused }),
    )
  } catch (error) {
    // A failed health record must not fail the payment.
    app.log.warn({ err: error, rail: name, account }, 'payments.rail_health.record_failed')
  }
}

type LastRecord = { readonly failure: string | null; readonly at: Date }
const lastRecords = new WeakMap<App, Map<string, LastRecord>>()
