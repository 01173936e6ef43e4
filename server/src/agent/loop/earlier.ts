// A key that was used before: what was charged under it is its outcome, and is never done again.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Committed, Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { endEarlierAttempts } from '../run/earlier-attempts.ts'
import { commitStoredOutcome, interruptIfStale } from './outcome.ts'
import type { LoopFrame } from './schema.ts'
import * as sql from './sql.ts'

const LOOK_AGAIN_MS = 500

/**
 * The outcome of the loop that was begun under this key, or null where none was or it has charged nothing. One that still
 * works in another process is waited for: its key has only grown old.
 */
export async function replayOutcome(
  app: App,
  { orgId }: Actor,
  once: Once,
  open: () => EventStream,
): Promise<Committed<LoopFrame> | null> {
  const id = await app.db.tx(orgId, (tx) => sql.findLoopByIntent(tx, orgId, once.id))
  if (!id) return null
  while (!(await interruptIfStale(app, orgId, id))) await pauseUnlessDisconnected(open().closed)
  const row = await app.db.tx(orgId, (tx) => sql.findLoop(tx, orgId, id))
  if (row && row.iterations > 0) return commitStoredOutcome(once, orgId, id, 1)
  await endEarlierAttempts(app, orgId, once)
  return null
}

/** Ends by itself: a loop has a longest time, and one that falls silent is over. */
async function pauseUnlessDisconnected(closed: AbortSignal): Promise<void> {
  await pause(LOOK_AGAIN_MS)
  if (closed.aborted) throw new ApiError('idempotency_in_progress')
}
