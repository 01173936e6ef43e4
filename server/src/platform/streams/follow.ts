// Follows a stream: first the stored events, then new ones, each once and in order.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../app.ts'
import { isTemporary, joinFollowers } from './followers.ts'
import { readPage, type StreamEvent, type StreamPage } from './sql.ts'

const TRIES_MAX = 10
const PAUSE_MS_MAX = 4_000

/**
 * Yields the events after number `after`, until the stream is closed or deleted or the signal aborts. Events are always read from
 * the table. A notification only triggers a read, and a lost one delays it by two seconds. Database outages are retried for about
 * half a minute. A stream of another organisation is `not_found`.
 */
export async function* follow(
  app: Pick<App, 'db'>,
  org: OrgId,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  let seq = after
  let isKnown = false
  const follower = joinFollowers(app.db, { org, id, seq: () => seq }, signal)
  try {
    while (!signal.aborted) {
      follower.forgetWakeUps()
      const page = await readWithRetries(app, org, id, seq, signal)
      if (page === 'aborted') return
      if (!page) {
        if (isKnown) return
        throw new ApiError('not_found')
      }
      isKnown = true
      for (const event of page.events) {
        if (signal.aborted) return
        seq = event.seq
        yield event
      }
      if (seq < page.lastSeq) continue
      if (page.isClosed) return
      await follower.wokenUp()
    }
  } finally {
    follower.leave()
  }
}

async function readWithRetries(
  app: Pick<App, 'db'>,
  org: OrgId,
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<StreamPage | undefined | 'aborted'> {
  for (let tries = 1; ; tries++) {
    try {
      return await app.db.tx(org, (tx) => readPage(tx, id, after))
    } catch (error) {
      if (!isTemporary(error) || tries === TRIES_MAX) throw error
      const pauseMs = Math.min(PAUSE_MS_MAX, 250 * 2 ** tries) * (0.5 + Math.random() / 2)
      const isAborted = await pause(pauseMs, false, { signal }).catch(() => true)
      if (isAborted) return 'aborted'
    }
  }
}
