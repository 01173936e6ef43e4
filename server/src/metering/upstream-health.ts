// Whether the model service accepts our key. Every replica records the outcome of its calls in one shared row.

import { staffEmails } from '../identity/identity.ts'
import { before, toMs } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { upstreamTarget } from '../models/models.ts'
import type { App } from '../platform/app.ts'
import type { Target, UpstreamFailed } from '../platform/inference/inference.ts'
import { plainMail } from '../platform/mail/mail.ts'
import * as sql from './upstream-health-sql.ts'

/** The shortest time between alerts about one key. */
const QUIET = { hours: 1 }
// Staff who can change the key.
const SETTINGS_STAFF = ['operator', 'super_admin'] as const
const ALERTED_MAX = 50
/** A repeated outcome is written at most this often. A changed outcome is written immediately. */
const REFUSED_AGAIN_MS = toMs({ seconds: 10 })
const SERVED_AGAIN_MS = toMs({ seconds: 30 })

type Outcome = { target: Target; isRefused: boolean; writtenMs: number }
const lastOutcomes = new WeakMap<App['db'], Outcome>()

/** The error of the customer for a failure of the upstream. Records a rejected key and alerts staff. */
export async function upstreamError(
  app: App,
  error: UpstreamFailed,
  target: Target | null = upstreamTarget(app),
): Promise<ApiError> {
  const { kind, retryAfter, rejectionStatus } = error
  if (rejectionStatus === undefined) {
    const code = kind === 'failed' ? 'upstream_failed' : 'upstream_unavailable'
    return new ApiError(code, retryAfter === undefined ? {} : { retryAfter })
  }
  if (target)
    await recordRefusal(app, target, rejectionStatus).catch((failure) =>
      app.log.error({ err: failure, status: rejectionStatus }, 'inference.refusal.record_failed'),
    )
  return new ApiError('upstream_refused')
}

/** Records that the key is accepted. Writes only when that is new or some time has passed. */
export function recordSuccess(app: App, target: Target): void {
  if (!isDue(app, target, false, SERVED_AGAIN_MS)) return
  sql
    .clearRefusal(app.db.direct, digestOf(app, target), app.clock.now())
    .catch((failure) => app.log.warn({ err: failure }, 'inference.refusal.clear_failed'))
}

/** The rejection of the current key; undefined when it is accepted or unused. */
export async function keyRefusal(app: App): Promise<sql.StoredRefusal | undefined> {
  const target = upstreamTarget(app)
  return target ? sql.openRefusal(app.db.direct, digestOf(app, target)) : undefined
}

async function recordRefusal(app: App, target: Target, status: number): Promise<void> {
  if (!isDue(app, target, true, REFUSED_AGAIN_MS)) return
  await app.db.tx('platform', async (tx) => {
    const isAlert = await sql.insertRefusal(tx, digestOf(app, target), status, before(tx.now, QUIET))
    if (!isAlert) return
    const { host } = new URL(target.baseUrl)
    const content = plainMail('The model service rejects our key', [
      `${host} returns status ${status} for every call. Customers cannot use any model and are not charged.`,
      'Check the key, the account behind it and the address: settings upstream_api_key and upstream_base_url.',
      `See GET /admin/posture at ${app.config.baseUrl}. The incident ends with the next successful call.`,
    ])
    for (const to of await staffEmails(tx, SETTINGS_STAFF, ALERTED_MAX))
      await app.mail.send(tx, { to, ...content })
  })
}

function isDue(app: App, target: Target, isRefused: boolean, againMs: number): boolean {
  const last = lastOutcomes.get(app.db)
  const nowMs = performance.now()
  const isSame = last?.isRefused === isRefused && isSameTarget(last.target, target)
  if (isSame && nowMs - last.writtenMs < againMs) return false
  lastOutcomes.set(app.db, { target, isRefused, writtenMs: nowMs })
  return true
}

const isSameTarget = (one: Target, other: Target): boolean =>
  one.baseUrl === other.baseUrl && one.apiKey === other.apiKey

/** A changed key or URL has another digest, and therefore no recorded rejection. */
const digestOf = (app: App, { baseUrl, apiKey }: Target): string =>
  app.secrets.digest(JSON.stringify([baseUrl, apiKey]), 'upstream key')
