// Listing, creating, reading and changing threads. Only the owner sees a thread; other callers get 404.
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { decodeTimeCursor, encodeCursor, type TimeCursor, toPage } from '../../platform/http/page.ts'
import { leaseCutoff, PAGE_BYTES, THREADS_MAX } from '../limits.ts'
import * as messages from './messages-sql.ts'
import * as sql from './threads-sql.ts'

type PageQuery = { limit: number; cursor?: string | undefined }
type Edit = { [Field in 'title' | 'mode' | 'archived']?: sql.Thread[Field] | undefined }

// Lists run from new to old, so they start after every possible row.
const END: TimeCursor = { at: new Date('9999-12-31T23:59:59.999Z'), id: '' }
const cursorFrom = (cursor: string | undefined): TimeCursor =>
  cursor === undefined ? END : decodeTimeCursor(cursor)

export function listThreads(app: App, actor: Actor, query: PageQuery & { archived?: boolean | undefined }) {
  return app.db.tx(actor.orgId, async (tx) => {
    const { archived = false, limit } = query
    const before = cursorFrom(query.cursor)
    const page = { archived, before, limit: limit + 1, leaseCutoff: leaseCutoff(tx.now) }
    const rows = await sql.listThreads(tx, actor, page)
    const { items, nextCursor } = toPage(rows, limit, ({ updatedAt, id }) => [updatedAt, id])
    return { threads: items, nextCursor }
  })
}

export function createThread(app: App, actor: Actor, input: { mode: sql.Mode; title?: string | undefined }) {
  return app.db.tx(actor.orgId, async (tx) => {
    // Without the lock, two concurrent calls could exceed the limit.
    await tx.lock(`chat threads of ${actor.userId}`)
    if ((await sql.countThreads(tx, actor)) >= THREADS_MAX)
      throw new ApiError('limit_reached', {
        error: `You have ${THREADS_MAX} conversations in this organisation, the maximum. Delete some first.`,
      })
    const id = newId('thr')
    await sql.insertThread(tx, actor, { id, mode: input.mode, title: input.title })
    return getThread(tx, actor, id)
  })
}

/** A thread with its newest messages, oldest of them first. */
export function readThread(app: App, actor: Actor, id: sql.ThreadId, query: PageQuery) {
  return app.db.tx(actor.orgId, async (tx) => {
    const thread = await getThread(tx, actor, id)
    const page = { before: cursorFrom(query.cursor), limit: query.limit, bytes: PAGE_BYTES }
    const shown = await messages.newestMessages(tx, id, page)
    const oldest = shown.at(-1)
    const hasOlder = oldest !== undefined && (await messages.hasOlderMessages(tx, id, cursorOf(oldest)))
    const messagesCursor = hasOlder ? encodeCursor([oldest.createdAt, oldest.id]) : null
    return { ...thread, messages: shown.reverse(), messagesCursor }
  })
}

export function changeThread(app: App, actor: Actor, id: sql.ThreadId, { title, mode, archived }: Edit) {
  return app.db.tx(actor.orgId, async (tx) => {
    await lockThread(tx, actor, id)
    await sql.changeThread(tx, id, { title, mode, archived })
    return getThread(tx, actor, id)
  })
}

/** Refused while an answer is running, because the user pays for its text. */
export function deleteThread(app: App, actor: Actor, id: sql.ThreadId) {
  return app.db.tx(actor.orgId, async (tx) => {
    await lockThread(tx, actor, id)
    await messages.failOrphaned(tx, leaseCutoff(tx.now), id, 1)
    if ((await messages.readThreadStats(tx, id)).isBusy) throw new ApiError('thread_busy')
    await sql.deleteThread(tx, id)
    return { ok: true as const }
  })
}

/** Locks a thread of the caller; 404 for any other thread. */
export async function lockThread(tx: Tx, owner: sql.ThreadOwner, id: sql.ThreadId) {
  const thread = await sql.lockThread(tx, owner, id)
  if (!thread) throw new ApiError('not_found')
  return thread
}

export async function getThread(tx: Tx, owner: sql.ThreadOwner, id: sql.ThreadId): Promise<sql.Thread> {
  const thread = await sql.threadById(tx, owner, id, leaseCutoff(tx.now))
  if (!thread) throw new ApiError('not_found')
  return thread
}

const cursorOf = ({ createdAt, id }: messages.StoredMessage): TimeCursor => ({ at: createdAt, id })
