// SQL for threads.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'

export type ThreadId = Id<'thr'>
export type Mode = 'general' | 'code'

/** A thread belongs to one user within one organisation. No other user can read it. */
export type ThreadOwner = { readonly orgId: OrgId; readonly userId: UserId }

export type Thread = {
  id: ThreadId
  title: string
  mode: Mode
  archived: boolean
  createdAt: Date
  updatedAt: Date
  /** An answer is being generated. */
  busy: boolean
}

/** Newest activity first, after a cursor. A running answer with an expired lease does not make its thread busy. */
export function listThreads(
  tx: Tx,
  { orgId, userId }: ThreadOwner,
  {
    archived,
    before,
    limit,
    leaseCutoff,
  }: { archived: boolean; before: TimeCursor; limit: number; leaseCutoff: Date },
) {
  return tx.content.rows<Thread>`
    select t.id, t.title, t.mode, t.archived_at is not null as archived, t.created_at as "createdAt",
           t.updated_at as "updatedAt",
           exists (select from chat_messages m
                   where m.thread_id = t.id and m.status = 'running' and m.beat_at >= ${leaseCutoff}) as busy
    from chat_threads t
    where t.org_id = ${orgId} and t.user_id = ${userId} and (t.archived_at is not null) = ${archived}
      and (t.updated_at, t.id) < (${before.at}, ${before.id})
    order by t.updated_at desc, t.id desc limit ${limit}`
}

export function threadById(tx: Tx, { orgId, userId }: ThreadOwner, id: ThreadId, leaseCutoff: Date) {
  return tx.content.maybe<Thread>`
    select t.id, t.title, t.mode, t.archived_at is not null as archived, t.created_at as "createdAt",
           t.updated_at as "updatedAt",
           exists (select from chat_messages m
                   where m.thread_id = t.id and m.status = 'running' and m.beat_at >= ${leaseCutoff}) as busy
    from chat_threads t
    where t.id = ${id} and t.org_id = ${orgId} and t.user_id = ${userId}`
}

/** While the lock is held, no other transaction can add a question or delete the thread. */
export function lockThread(tx: Tx, { orgId, userId }: ThreadOwner, id: ThreadId) {
  return tx.content.maybe<{ id: ThreadId; mode: Mode }>`
    select id, mode from chat_threads
    where id = ${id} and org_id = ${orgId} and user_id = ${userId} for update`
}

export async function countThreads(tx: Tx, { orgId, userId }: ThreadOwner): Promise<number> {
  const { n } = await tx.content.one<{ n: number }>`
    select count(*)::int as n from chat_threads where org_id = ${orgId} and user_id = ${userId}`
  return n
}

export async function insertThread(
  tx: Tx,
  { orgId, userId }: ThreadOwner,
  { id, mode, title }: { id: ThreadId; mode: Mode; title: string | undefined },
): Promise<void> {
  await tx.content.rows`
    insert into chat_threads (id, org_id, user_id, title, is_titled, mode, created_at, updated_at)
    values (${id}, ${orgId}, ${userId}, ${title ?? ''}, ${title !== undefined}, ${mode}, ${tx.now}, ${tx.now})`
}

/** Undefined fields stay unchanged. A title set by the user is never replaced by a generated one. */
export async function changeThread(
  tx: Tx,
  id: ThreadId,
  change: { title: string | undefined; mode: Mode | undefined; archived: boolean | undefined },
): Promise<void> {
  const { title = null, mode = null, archived = null } = change
  await tx.content.rows`
    update chat_threads
    set title = coalesce(${title}, title), is_titled = is_titled or ${title !== null}, mode = coalesce(${mode}, mode),
        archived_at = case when ${archived}::boolean is null then archived_at
                           when ${archived}::boolean then coalesce(archived_at, ${tx.now}::timestamptz) end
    where id = ${id}`
}

/** Moves the thread to the top, unarchives it, and sets the generated title if it has none. */
export async function touchThread(tx: Tx, id: ThreadId, title: string): Promise<void> {
  await tx.content.rows`
    update chat_threads
    set updated_at = greatest(updated_at, ${tx.now}), archived_at = null,
        title = case when is_titled or title <> '' then title else ${title} end
    where id = ${id}`
}

export async function deleteThread(tx: Tx, id: ThreadId): Promise<void> {
  await tx.content.rows`delete from chat_threads where id = ${id}`
}
