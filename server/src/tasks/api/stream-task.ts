// Streams the events of a task, from the start or after a given number. A disconnect stops nothing.
import { reloadActor } from '../../identity/identity.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { frameText } from '../../platform/http/reply/stream-format.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { follow, lastSeqOf } from '../../platform/streams/streams.ts'
import { requireTask } from './access.ts'

type StreamRequest = {
  readonly id: string
  readonly after?: number | undefined
  readonly outputs?: 'short' | 'none' | undefined
}

/** How often access is checked while streaming. */
const VISIBILITY_CHECK_MS = 2_000

/** Ends when the task is deleted, when the caller loses access, or when the stream reaches its time limit; the client then reconnects. */
export async function streamTask(
  app: App,
  actor: Actor,
  { id, after, outputs }: StreamRequest,
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
    const sent = outputs === 'none' ? withoutOutput(event) : event
    await stream.sendRaw(`id: ${seq}\n${frameText({ seq, at, ...sent })}`)
  }
}

/** The client ran the tools itself, and has their outputs. */
const withoutOutput = (event: object): object =>
  'kind' in event && event.kind === 'tool_result' ? { ...event, output: '', isTruncated: true } : event

/** A number of another task would hide the next events. */
function requireStored(last: number, after: number): void {
  if (after > last)
    throw invalidFields({
      path: 'query.after',
      message: `must be at most ${last}, the number of the last event of this task`,
    })
}

/** With the rights of this moment: the caller may have signed out, left the organisation or changed roles. */
async function isVisible(app: App, actor: Actor, id: string): Promise<boolean> {
  try {
    return await app.db.tx(actor.orgId, async (tx) => {
      const current = await reloadActor(tx, actor)
      if (!current) return false
      await requireTask(tx, current, id)
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
