// What was asked and answered elsewhere, put at the end of a conversation so that it goes on from there.
import { assert } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { leaseCutoff, MESSAGES_MAX, PROMPT_CHARACTERS_MAX } from '../limits.ts'
import { failOrphaned, insertAnsweredTurn, readThreadStats } from '../threads/messages-sql.ts'
import { getThread } from '../threads/threads.ts'
import * as sql from '../threads/threads-sql.ts'
import { titleOf } from '../threads/title.ts'
import { nextTimestamp } from './turn.ts'

/** A question with its whole answer. Who answered and what it cost is told where it was asked; here it would count twice. */
export type ThreadPost = { readonly question: string; readonly content: string }

/** Refuses with 404 a conversation that is not theirs. */
export async function requireThread(tx: Tx, owner: sql.ThreadOwner, id: sql.ThreadId): Promise<void> {
  await getThread(tx, owner, id)
}

/** Adds both at the end; false when the conversation is gone, is full, or is being answered right now. */
export async function postToThread(
  tx: Tx,
  owner: sql.ThreadOwner,
  id: sql.ThreadId,
  { question, content }: ThreadPost,
): Promise<boolean> {
  assert(content.length <= PROMPT_CHARACTERS_MAX, 'who posts cuts what is too long for a message')
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
