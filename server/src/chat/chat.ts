// Public API of chat. Other modules append a question with its answer, so that the user can continue from it.
import { assert } from '../kernel/assert.ts'
import { after } from '../kernel/clock.ts'
import { newId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import { nextTimestamp } from './answers/turn.ts'
import { leaseCutoff, MESSAGES_MAX, PROMPT_CHARACTERS_MAX } from './limits.ts'
import { failOrphaned, insertAnsweredTurn, readThreadStats } from './threads/messages-sql.ts'
import { getThread } from './threads/threads.ts'
import * as sql from './threads/threads-sql.ts'
import { titleOf } from './threads/title.ts'

export type { ThreadId, ThreadOwner } from './threads/threads-sql.ts'

/** A question with its complete answer. The other module reports the model and the cost, so they are not stored here. */
export type ThreadPost = { readonly question: string; readonly content: string }

/** 404 for a conversation that the owner does not have. */
export async function requireThread(tx: Tx, owner: sql.ThreadOwner, id: sql.ThreadId): Promise<void> {
  await getThread(tx, owner, id)
}

/** False when the conversation was deleted, is full, or has a running answer. */
export async function postToThread(
  tx: Tx,
  owner: sql.ThreadOwner,
  id: sql.ThreadId,
  { question, content }: ThreadPost,
): Promise<boolean> {
  assert(content.length <= PROMPT_CHARACTERS_MAX, 'callers shorten content to the message limit')
  if (!(await sql.lockThread(tx, owner, id))) return false
  await failOrphaned(tx, leaseCutoff(tx.now), id, 1)
  const { messages, isBusy, lastAt } = await readThreadStats(tx, id)
  if (isBusy || messages + 2 > MESSAGES_MAX) return false
  const askedAt = nextTimestamp(tx.now, lastAt)
  await insertAnsweredTurn(tx, {
    ...{ orgId: owner.orgId, thread: id, question, content, askedAt },
    questionId: newId('msg'),
    answerId: newId('msg'),
    answeredAt: after(askedAt, { ms: 1 }),
  })
  await sql.touchThread(tx, id, titleOf(question))
  return true
}
