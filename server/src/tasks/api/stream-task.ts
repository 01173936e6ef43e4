// Streams the events of a task, from the start or after a given number. A disconnect stops nothing.
import { isLiveKey } from '../../identity/identity.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { findMembership } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { frameText } from '../../platform/http/reply/stream-format.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { follow, lastSeqOf } from '../../platform/streams/streams.ts'
import { requireTask } from './access.ts'

type StreamPosition = { readonly id: string; readonly after: number | undefined }

/** How often access is checked while streaming. */
const VISIBILITY_CHECK_MS = 2_000

/** Ends when the task is deleted, when the caller loses access, or when the stream reaches its time limit; the client then reconnects. */
export async function streamTask(
  app: App,
  actor: Actor,
  { id, after }: StreamPosition,
  { request, open }: { request: RequestInfo; open: () => EventStream },
): Promise<undefined> {
  const from = Math.max(after ?? 0, lastEventId(request))
  await app.db.tx(actor.orgId, async (tx) => {
    await requireTask(tx, actor, id)
    requireStored(await lastSeqOf(tx, id), from)
  })
  const stream = open()
  let seenAtMs = performance.now()
  for await (const { seq, at, event } of follow(app, actor.orgId, id, from, stream.closed)) {
    if (performance.now() - seenAtMs > VISIBILITY_CHECK_MS) {
      if (!(await isVisible(app, actor, id))) return
      seenAtMs = performance.now()
    }
    await stream.sendRaw(`id: ${seq}\n${frameText({ seq, at, ...event })}`)
  }
}

/** A number of another task would hide the next events. */
function requireStored(last: number, after: number): void {
  if (after > last)
    throw invalidFields({
      path: 'query.after',
      message: `must be at most ${last}, the number of the last event of this task`,
    })
}

/** With the rights of this moment: a member may have been removed or may have another role, and a key may be revoked. */
async function isVisible(app: App, actor: Actor, id: string): Promise<boolean> {
  const { orgId, userId, keyId } = actor
  try {
    return await app.db.tx(orgId, async (tx) => {
      const membership = await findMembership(tx, orgId, userId)
      if (!membership || (keyId !== null && !(await isLiveKey(tx, orgId, keyId)))) return false
      await requireTask(tx, { ...actor, role: membership.role }, id)
      return true
    })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}

/** An EventSource of a browser reconnects to the same address with the id of the last event in this header. */
function lastEventId({ headers }: RequestInfo): number {
  const seen = headers['last-event-id']
  return typeof seen === 'string' && /^\d{1,15}$/.test(seen) ? Number(seen) : 0
}
