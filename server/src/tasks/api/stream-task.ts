// Streams the events of a task, from the start or after a given number. A disconnect stops nothing.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { follow } from '../../platform/streams/streams.ts'
import { requireTask } from './access.ts'

type StreamPosition = { readonly id: string; readonly after: number | undefined }

/** How often access is checked while streaming. */
const VISIBILITY_CHECK_MS = 2_000

/** Ends when the task is deleted, or when the stream reaches its time limit; the client then reconnects. */
export async function streamTask(
  app: App,
  actor: Actor,
  { id, after }: StreamPosition,
  { request, open }: { request: RequestInfo; open: () => EventStream },
): Promise<undefined> {
  await app.db.tx(actor.orgId, (tx) => requireTask(tx, actor, id))
  const stream = open()
  let seenAtMs = performance.now()
  for await (const { seq, at, event } of follow(
    app,
    actor.orgId,
    id,
    after ?? lastEventId(request),
    stream.closed,
  )) {
    if (performance.now() - seenAtMs > VISIBILITY_CHECK_MS) {
      if (!(await isVisible(app, actor, id))) return
      seenAtMs = performance.now()
    }
    await stream.send({ seq, at, ...event })
  }
}

async function isVisible(app: App, actor: Actor, id: string): Promise<boolean> {
  try {
    await app.db.tx(actor.orgId, (tx) => requireTask(tx, actor, id))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}

/** Browsers send this header when they reconnect. */
function lastEventId({ headers }: RequestInfo): number {
  const seen = headers['last-event-id']
  return typeof seen === 'string' && /^\d{1,15}$/.test(seen) ? Number(seen) : 0
}
