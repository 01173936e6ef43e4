// Limits changes and manual sends per organisation, because each adds a permanent audit entry.
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'

// Enough for a complete new setup.
export const CHANGES: AttemptLimit = { name: 'hooks.changes', most: 120, withinSeconds: 3_600 }
// Enough for debugging, but too low to flood another server.
export const MANUAL_SENDS: AttemptLimit = { name: 'hooks.byHand', most: 60, withinSeconds: 60 }

/** Counts a change of the endpoints. */
export const countChange = (app: App, tx: Tx, orgId: OrgId): Promise<void> =>
  count(app, tx, CHANGES, orgId, 'Too many changes or tests of webhook endpoints')

/** Counts a manual send, which also counts as a change. */
export async function countManualSend(app: App, tx: Tx, orgId: OrgId): Promise<void> {
  await countChange(app, tx, orgId)
  await count(app, tx, MANUAL_SENDS, orgId, 'Too many events were sent manually')
}

async function count(app: App, tx: Tx, limit: AttemptLimit, orgId: OrgId, problem: string): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, tx, limit, orgId)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: `${problem}. Wait for the time in Retry-After.`,
      retryAfter,
    })
}
