// SQL for messages: questions, running answers and finished answers.
import type { Id, OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { ThreadId } from './threads-sql.ts'

export type MessageId = Id<'msg'>
export type MessageStatus = 'complete' | 'stopped' | 'failed'

export type StoredMessage = {
  id: MessageId
  role: 'user' | 'assistant'
  content: string
  createdAt: Date
  lane: 'open' | 'frontier' | null
  model: string | null
  costMinor: bigint
  status: MessageStatus
  errorCode: string | null
}

/** Newest first, before a cursor: at most `limit`, and none after the total reaches `bytes`. Excludes running answers. */
export function newestMessages(
  tx: Tx,
  thread: ThreadId,
  { before, limit, bytes }: { before: TimeCursor; limit: number; bytes: number },
) {
  return tx.content.rows<StoredMessage>`
    select id, role, content, created_at as "createdAt", lane, model, cost_minor as "costMinor", status,
           error_code as "errorCode"
    from (select id, role, content, created_at, lane, model, cost_minor, status, error_code,
                 sum(octet_length(content)) over (order by created_at desc, id desc) - octet_length(content) as newer_bytes
          from (select id, role, content, created_at, lane, model, cost_minor, status, error_code
                from chat_messages
                where thread_id = ${thread} and status <> 'running' and (created_at, id) < (${before.at}, ${before.id})
                order by created_at desc, id desc limit ${limit}) as newest) as sized
    where newer_bytes < ${bytes}
    order by created_at desc, id desc`
}

export async function hasOlderMessages(tx: Tx, thread: ThreadId, { at, id }: TimeCursor): Promise<boolean> {
  const { found } = await tx.content.one<{ found: boolean }>`
    select exists (select from chat_messages
                   where thread_id = ${thread} and status <> 'running' and (created_at, id) < (${at}, ${id})) as found`
  return found
}

export type ContextRow = { id: MessageId; role: 'user' | 'assistant'; content: string }

/** Messages that may be sent to a model, newest first. Failed and empty answers are excluded. */
export function newestContextRows(
  tx: Tx,
  thread: ThreadId,
  { limit, bytes }: { limit: number; bytes: number },
) {
  return tx.content.rows<ContextRow>`
    select id, role, content
    from (select id, role, content, created_at,
                 sum(octet_length(content)) over (order by created_at desc, id desc) - octet_length(content) as newer_bytes
          from (select id, role, content, created_at from chat_messages
                where thread_id = ${thread} and status in ('complete', 'stopped') and content <> ''
                order by created_at desc, id desc limit ${limit}) as newest) as sized
    where newer_bytes < ${bytes}
    order by created_at desc, id desc`
}

export function firstQuestion(tx: Tx, thread: ThreadId) {
  return tx.content.maybe<ContextRow>`
    select id, role, content from chat_messages where thread_id = ${thread} and role = 'user'
    order by created_at, id limit 1`
}

export type ThreadStats = { messages: number; contextMessages: number; lastAt: Date | null; isBusy: boolean }

export function readThreadStats(tx: Tx, thread: ThreadId) {
  return tx.content.one<ThreadStats>`
    select count(*)::int as messages, max(created_at) as "lastAt", coalesce(bool_or(status = 'running'), false) as "isBusy",
           (count(*) filter (where status in ('complete', 'stopped') and content <> ''))::int as "contextMessages"
    from chat_messages where thread_id = ${thread}`
}

export type NewTurn = {
  orgId: OrgId
  thread: ThreadId
  questionId: MessageId
  answerId: MessageId
  prompt: string
  intentId: string | null
  askedAt: Date
  answeredAt: Date
}

/** Inserts a question and its running answer. */
export async function insertTurn(tx: Tx, turn: NewTurn): Promise<void> {
  const { orgId, thread, questionId, answerId, prompt, intentId, askedAt, answeredAt } = turn
  await tx.content.rows`
    insert into chat_messages (id, org_id, thread_id, role, content, status, intent_id, created_at, beat_at)
    values (${questionId}, ${orgId}, ${thread}, 'user', ${prompt}, 'complete', ${intentId}, ${askedAt}, ${tx.now}),
           (${answerId}, ${orgId}, ${thread}, 'assistant', '', 'running', ${intentId}, ${answeredAt}, ${tx.now})`
}

export type AnsweredTurn = Omit<NewTurn, 'prompt' | 'intentId'> & {
  question: string
  content: string
}

/** Inserts a question with a complete answer from another module. It costs nothing here. */
export async function insertAnsweredTurn(tx: Tx, turn: AnsweredTurn): Promise<void> {
  const { orgId, thread, questionId, answerId, question, content, askedAt, answeredAt } = turn
  await tx.content.rows`
    insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
    values (${questionId}, ${orgId}, ${thread}, 'user', ${question}, 'complete', ${askedAt}, ${tx.now}),
           (${answerId}, ${orgId}, ${thread}, 'assistant', ${content}, 'complete', ${answeredAt}, ${tx.now})`
}

/**
 * A retry replaces its earlier attempt, which failed or was orphaned and cost nothing. An attempt that is still running
 * has lost its idempotency key to this retry, so it can no longer be stored or charged.
 */
export function deleteEarlierAttempt(tx: Tx, thread: ThreadId, intentId: string) {
  return tx.content.rows<{ id: MessageId }>`
    delete from chat_messages where thread_id = ${thread} and intent_id = ${intentId}
      and not exists (select from chat_messages other
                      where other.thread_id = ${thread} and other.intent_id = ${intentId}
                        and other.role = 'assistant' and other.status not in ('failed', 'running'))
    returning id`
}

/** Deletes a question and its answer, only while the answer is running. */
export async function deleteTurn(tx: Tx, questionId: MessageId, answerId: MessageId): Promise<void> {
  const open = await tx.content.maybe<{ id: MessageId }>`
    delete from chat_messages where id = ${answerId} and status = 'running' returning id`
  if (open) await tx.content.rows`delete from chat_messages where id = ${questionId}`
}

export type AnswerOutcome = {
  status: MessageStatus
  content: string
  lane: 'open' | 'frontier'
  model: string
  costMinor: bigint
  errorCode: string | null
}

/** Stores the outcome of a running answer. False when it had already finished. */
export async function finishAnswer(tx: Tx, id: MessageId, ending: AnswerOutcome): Promise<boolean> {
  const { status, content, lane, model, costMinor, errorCode } = ending
  const ended = await tx.content.maybe<{ id: MessageId }>`
    update chat_messages
    set status = ${status}, content = ${content}, lane = ${lane}, model = ${model}, cost_minor = ${costMinor},
        error_code = ${errorCode}
    where id = ${id} and status = 'running' returning id`
  return ended !== undefined
}

/** Requests the running answer of a thread to stop, and returns its id. */
export function requestStop(tx: Tx, thread: ThreadId) {
  return tx.content.maybe<{ id: MessageId }>`
    update chat_messages set stop_asked_at = coalesce(stop_asked_at, ${tx.now})
    where thread_id = ${thread} and status = 'running' returning id`
}

/** The running answers among these ids without a stop request. */
export function findUnstopped(tx: Tx, ids: readonly MessageId[]) {
  return tx.content.rows<{ id: MessageId }>`
    select id from chat_messages where id = any(${ids}::text[]) and status = 'running' and stop_asked_at is null`
}

/** Renews leases last renewed before an instant, and returns the renewed ids. */
export function renewLeases(tx: Tx, ids: readonly MessageId[], lastBefore: Date) {
  return tx.content.rows<{ id: MessageId }>`
    update chat_messages set beat_at = ${tx.now}
    where id = any(${ids}::text[]) and status = 'running' and beat_at < ${lastBefore} returning id`
}

/** Fails running answers whose lease has expired. */
export function failOrphaned(tx: Tx, leaseCutoff: Date, thread: ThreadId | null, most: number) {
  return tx.content.rows<{ id: MessageId }>`
    update chat_messages set status = 'failed', error_code = 'interrupted'
    where id in (select id from chat_messages
                 where status = 'running' and beat_at < ${leaseCutoff}
                   and (${thread}::text is null or thread_id = ${thread})
                 order by beat_at limit ${most} for update skip locked)
    returning id`
}
