// Every statement about stored replies that are content. Those that are not stand with their keys.
import type { Id, OrgId } from '../../../kernel/ids.ts'
import type { Tx } from '../../db/tx.ts'

/** One of an attempt whose transaction was lost in its commit may be there: another database keeps its part first. */
export async function insertReply(tx: Tx, org: OrgId, id: Id<'idem'>, body: string): Promise<void> {
  await tx.content.rows`
    insert into kept_replies (id, org_id, body, kept_at) values (${id}, ${org}, ${body}, ${tx.now})
    on conflict (id) do update set body = excluded.body, kept_at = excluded.kept_at`
}

export async function findReply(tx: Tx, org: OrgId, id: Id<'idem'>): Promise<string | undefined> {
  const found = await tx.content.maybe<{ body: string }>`
    select body from kept_replies where id = ${id} and org_id = ${org}`
  return found?.body
}

export async function deleteReplies(tx: Tx, keptBefore: Date, most: number): Promise<number> {
  const rows = await tx.content.rows`
    delete from kept_replies where id in (select id from kept_replies where kept_at < ${keptBefore} limit ${most}) returning id`
  return rows.length
}
