// Whether each provider account answers: noted by every replica where staff can read it. Never a secret, and not on every call.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import * as sql from '../sql/rail-health.ts'
import type { Account } from './accounts.ts'

/** A replica repeats the same news of an account only so often. */
const REPEAT_AFTER = { seconds: 30 }
const REASON_CHARACTERS_MAX = 200

export type AccountKey = Pick<Account, 'name' | 'account'>

export const recordSuccess = (app: App, account: AccountKey): Promise<void> =>
  record(app, account, null, null)

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
) {
  const now = app.clock.now()
  const noted = lastRecords.get(app) ?? new Map<string, LastRecord>()
  lastRecords.set(app, noted)
  const key = `${name} ${account}`
  const last = noted.get(key)
  if (last?.failure === failure && pausedUntil === null && now < after(last.at, REPEAT_AFTER)) return
  noted.set(key, { failure, at: now })
  try {
    await app.db.tx('platform', (tx) => sql.upsertHealth(tx, { rail: name, account, failure, pausedUntil }))
  } catch (error) {
    // The payment matters more than the news about its provider.
    app.log.warn({ err: error, rail: name, account }, 'payments.rail_health.record_failed')
  }
}

type LastRecord = { readonly failure: string | null; readonly at: Date }
const lastRecords = new WeakMap<App, Map<string, LastRecord>>()
