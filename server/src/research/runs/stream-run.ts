// Streams the events of a run from the start or after a given number. A disconnect does not stop the run.
import { reloadActor } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { follow, type StreamEvent } from '../../platform/streams/streams.ts'
import type { RunEvent } from '../run-events.ts'
import { findRun, type RunRecord } from '../runs-sql.ts'
import { readDetail, requireVisibleRun, toApiFile } from './read-run.ts'

type StreamPosition = { readonly id: string; readonly after: number | undefined }

/**
 * Ends when the run is finished or deleted, when the caller loses access, or when the stream reaches its time limit; the client then reconnects.
 */
export async function streamResearch(
  app: App,
  actor: Actor,
  { id, after }: StreamPosition,
  { request, open }: { request: RequestInfo; open: () => EventStream },
): Promise<undefined> {
  const run = await app.db.tx(actor.orgId, (tx) => requireVisibleRun(tx, actor, id))
  const stream = open()
  const from = after ?? lastEventId(request)
  let seenAtMs = performance.now()
  for await (const event of follow(app, run.orgId, run.id, from, stream.closed)) {
    if (performance.now() - seenAtMs > VISIBILITY_CHECK_MS || isDone(event)) {
      if (!(await isVisible(app, actor, id))) return
      seenAtMs = performance.now()
    }
    const frame = await toFrame(app, run, event)
    if (!frame) return
    await stream.send(frame)
  }
}

/** How often access is checked while streaming. */
const VISIBILITY_CHECK_MS = 2_000

const isDone = ({ event }: StreamEvent): boolean => (event as RunEvent).kind === 'done'

/** With the rights of this moment: the caller may have signed out, left the organisation or changed roles. */
async function isVisible(app: App, actor: Actor, id: string): Promise<boolean> {
  try {
    return await app.db.tx(actor.orgId, async (tx) => {
      const current = await reloadActor(tx, actor)
      if (!current) return false
      await requireVisibleRun(tx, current, id)
      return true
    })
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

/** Null if the run was deleted meanwhile. */
async function toFrame(app: App, run: RunRecord, { seq, at, event }: StreamEvent): Promise<object | null> {
  // Only `appendEvents` writes to these streams.
  const runEvent = event as RunEvent
  if (runEvent.kind === 'report') return { seq, at, ...runEvent, files: runEvent.files.map(toApiFile) }
  if (runEvent.kind !== 'done') return { seq, at, ...runEvent }
  const detail = await app.db.tx(run.orgId, async (tx) => {
    const ended = await findRun(tx, run.orgId, run.id)
    return ended ? readDetail(tx, ended) : null
  })
  return detail && { seq, at, ...runEvent, run: detail }
}
