// Starts a turn (a question and its running answer), and ends turns that have no answer.
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

/** A thread has one running answer at a time, because the next question depends on it. Marks the thread busy. */
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
    const history = await readHistory(app, tx, thread)
    if (history.isBusy) throw new ApiError('thread_busy')
    if (history.messages + 2 > MESSAGES_MAX)
      throw new ApiError('limit_reached', {
        error: `This conversation has reached ${MESSAGES_MAX} messages. Start a new one.`,
      })
    const askedAt = nextTimestamp(tx.now, history.lastAt)
    const answeredAt = after(askedAt, { ms: 1 })
    const turn = { actor, thread, mode, prompt, askedAt, answeredAt, history, ...newIds() }
    await sql.insertTurn(tx, { ...turn, orgId, intentId })
    return { turn, earlier }
  })
  if (earlier.length > 0) await releaseHolds(app, orgId, earlier)
  return turn
}

/** A separate transaction, because settlements lock the wallet before the answer. */
async function releaseHolds(
  app: App,
  orgId: OrgId,
  attempts: readonly { id: sql.MessageId }[],
): Promise<void> {
  await app.db.tx(orgId, async (tx) => {
    for (const { id: ref } of attempts) await releaseByRef(app, tx, { orgId, ref })
  })
}

/** Called once the money is held: moves the thread to the top, unarchives it and sets its title. */
export function bumpThread(app: App, { actor, thread, prompt }: Turn): Promise<void> {
  return app.db.tx(actor.orgId, (tx) => touchThread(tx, thread, titleOf(prompt)))
}

/** For a turn that was refused before the model call: deletes its rows. */
export function discardTurn(app: App, { actor, questionId, answerId }: Turn): Promise<void> {
  return app.db.tx(actor.orgId, (tx) => sql.deleteTurn(tx, questionId, answerId))
}

/** For a failure of ours or of the provider: keeps the partial text and charges nothing. */
export async function failTurn(
  app: App,
  { actor, answerId }: Turn,
  { lane, model }: ModelRoute,
  content: string,
  error: unknown,
): Promise<void> {
  const errorCode = error instanceof ApiError ? error.code : 'internal'
  const outcome = { status: 'failed' as const, content, lane, model, costMinor: 0n, errorCode }
  await app.db.tx(actor.orgId, (tx) => sql.finishAnswer(tx, answerId, outcome))
}

const newIds = () => ({ questionId: newId('msg'), answerId: newId('msg') })

/** Each message of a thread has a unique timestamp, so that the order is stable. */
export const nextTimestamp = (now: Date, last: Date | null): Date =>
  last !== null && last >= now ? after(last, { ms: 1 }) : now
