// How often those who run an organisation may change its endpoints and send by hand. Each leaves an entry in the audit log for ever.
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'

// More than people need, also those who set everything up anew.
export const CHANGES: AttemptLimit = { name: 'hooks.changes', most: 120, withinSeconds: 3_600 }
// Enough to look for a fault, and too little to make us somebody's hammer.
export const MANUAL_SENDS: AttemptLimit = { name: 'hooks.byHand', most: 60, withinSeconds: 60 }

/** Counts a change of the organisation's endpoints. */
export const countChange = (app: App, tx: Tx, orgId: OrgId): Promise<void> =>
  count(app, tx, CHANGES, orgId, 'Webhook endpoints were changed or tested too often')

/** Counts an event that is sent by hand, which is also a change. */
export async function countManualSend(app: App, tx: Tx, orgId: OrgId): Promise<void> {
  await countChange(app, tx, orgId)
  await count(app, tx, MANUAL_SENDS, orgId, 'Too many events were sent by hand')
}

async function count(app: App, tx: Tx, limit: AttemptLimit, orgId: OrgId, what: string): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, tx, limit, orgId)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: `${what}; wait for the time in Retry-After.`,
      retryAfter,
    })
}
