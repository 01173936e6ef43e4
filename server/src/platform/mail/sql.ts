// SQL of the development outbox.
import type { Sql, Tx } from '../db/tx.ts'
import type { RenderedMail } from './message.ts'
import type { OutboxMail } from './schema.ts'

const CAPTURED_MAX = 1_000
const LISTED_MAX = 100

/** Stores a mail once per id, and deletes all but about the newest thousand. */
export async function captureMail(
  tx: Tx,
  id: string,
  { to, subject, text, html }: RenderedMail,
): Promise<void> {
  await tx.rows`
    insert into mail_outbox (id, recipient, subject, body_text, body_html, created_at)
    values (${id}, ${to}, ${subject}, ${text}, ${html}, ${tx.now})
    on conflict (id) do nothing`
  await tx.rows`
    delete from mail_outbox where position <= (select max(position) from mail_outbox) - ${CAPTURED_MAX}::bigint`
}

/** The newest mails to an address, compared without case. */
export function listMails(sql: Sql, to: string): Promise<OutboxMail[]> {
  return sql.rows<OutboxMail>`
    select id, recipient as "to", subject, body_text as text, body_html as html, created_at as "createdAt"
    from mail_outbox where lower(recipient) = lower(${to})
    order by id desc limit ${LISTED_MAX}`
}
