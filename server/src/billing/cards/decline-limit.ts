// Limits declined charges that owners start. Banks treat more declines as an attack and block the card. Scheduled
// charges follow the dunning calendar instead.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, checkAttempt, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'

const DECLINES: AttemptLimit = { name: 'billing.declines', most: 10, withinSeconds: 3_600 }

/** Throws `too_many_attempts`. */
export async function requireBelowDeclineLimit(app: App, tx: Tx, org: OrgId): Promise<void> {
  const { allowed, retryAfter } = await checkAttempt(app, tx, DECLINES, org)
  if (allowed) return
  throw new ApiError('too_many_attempts', {
    error: `Your cards were declined ${DECLINES.most} times within an hour. Wait for the time in Retry-After.`,
    retryAfter,
  })
}

export const isBelowDeclineLimit = async (app: App, org: OrgId): Promise<boolean> =>
  (await checkAttempt(app, app.db.direct, DECLINES, org)).allowed

export async function countDecline(app: App, org: OrgId): Promise<void> {
  await countAttempt(app, app.db.direct, DECLINES, org)
}
