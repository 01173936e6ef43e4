// A question and its answer, as rows: how they begin, and how they end without an outcome.
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { ModelRoute } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { releaseByRef } from '../../wallet/wallet.ts'
import { readHistory, type ThreadHistory } from '../context/build-context.ts'
import { leaseCutoff, MESSAGES_MAX } from '../limits.ts'
import * as sql from '../threads/messages-sql.ts'
import { lockThread } from '../threads/threads.ts'
import { type Mode, type ThreadId, touchThread } from '../threads/threads-sql.ts'
import { titleOf } from '../threads/title.ts'

export type Turn = {
  readonly actor: Actor
  readonly thread: ThreadId
  readonly mode: Mode
  readonly prompt: string
  readonly questionId: sql.MessageId
  readonly answerId: sql.MessageId
  readonly askedAt: Date
  readonly answeredAt: Date
  readonly history: ThreadHistory
}

/** One answer at a time: the next question needs the last answer. From here on the thread is busy. */
export async function beginTurn(
  app: App,
  actor: Actor,
  thread: ThreadId,
  prompt: string,
  once: Once,
): Promise<Turn> {
  const { orgId } = actor
  const { turn, earlier } = await app.db.tx(orgId, async (tx) => {
    const { mode } = await lockThread(tx, actor, thread)
    await sql.failOrphaned(tx, leaseCutoff(tx.now), thread, 1)
    const intentId = once.isKeyed ? once.id : null
    const earlier = intentId === null ? [] : await sql.deleteEarlierAttempt(tx, thread, intentId)
    const said = await readHistory(app, tx, thread)
    if (said.isBusy) throw new ApiError('thread_busy')
    if (said.messages + 2 > MESSAGES_MAX)
      throw new ApiError('limit_reached', {
        error: `This conversation has its ${MESSAGES_MAX} messages; begin a new one.`,
      })
    const askedAt = nextTimestamp(tx.now, said.lastAt)
    const answeredAt = after(askedAt, { ms: 1 })
    const turn = { actor, thread, mode, prompt, askedAt, answeredAt, said, ...newIds() }
    await sql.insertTurn(tx, { ...turn, orgId, intentId })
    return { turn, earlier }
  })
  if (earlier.length > 0) await releaseHolds(app, orgId, earlier)
  return turn
}

/** In its own transaction: a settlement locks the wallet before the answer, and so must this. */
async function releaseHolds(app: App, orgId: OrgId, tries: readonly { id: sql.MessageId }[]): Promise<void> {
  await app.db.tx(orgId, async (tx) => {
    for (const { id: ref } of tries) await releaseByRef(app, tx, { orgId, ref })
  })
}

/** The money is there: the thread moves up, leaves the archive and has a name. */
export function bumpThread(app: App, { actor, thread, prompt }: Turn): Promise<void> {
  return app.db.tx(actor.orgId, (tx) => touchThread(tx, thread, titleOf(prompt)))
}

/** It was refused before anything was asked: nothing is left of it. */
export function discardTurn(app: App, { actor, questionId, answerId }: Turn): Promise<void> {
  return app.db.tx(actor.orgId, (tx) => sql.deleteTurn(tx, questionId, answerId))
}

/** Through no fault of the customer's: what had come is kept, and costs nothing. */
export async function failTurn(
  app: App,
  { actor, answerId }: Turn,
  { lane, model }: ModelRoute,
  content: string,
  error: unknown,
): Promise<void> {
  const errorCode = error instanceof ApiError ? error.code : 'internal'
  const ending = { status: 'failed' as const, content, lane, model, costMinor: 0n, errorCode }
  await app.db.tx(actor.orgId, (tx) => sql.finishAnswer(tx, answerId, ending))
}

const newIds = () => ({ questionId: newId('msg'), answerId: newId('msg') })

/** Messages of a thread have instants of their own, so that they stay in the order they were said. */
export const nextTimestamp = (now: Date, last: Date | null): Date =>
  last !== null && last >= now ? after(last, { ms: 1 }) : now
