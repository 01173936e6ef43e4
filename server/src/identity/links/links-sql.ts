// SQL of mailed links.
import type { Id, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { LinkKind, MailedLink } from './links.ts'

export type NewMailedLink = MailedLink & { id: Id<'lnk'>; tokenHash: Uint8Array; expiresAt: Date }

export async function replaceLinks(tx: Tx, link: NewMailedLink): Promise<void> {
  // Concurrent requests queue on this lock, so that at most one link is valid.
  await tx.rows`select id from users where id = ${link.userId} for no key update`
  const replaced = await tx.rows<{ isByBrowser: boolean }>`
    delete from links where user_id = ${link.userId} and kind = ${link.kind} and used_at is null
    returning by_browser and expires_at > ${tx.now} as "isByBrowser"`
  const byBrowser = link.byBrowser || replaced.some(({ isByBrowser }) => isByBrowser)
  await tx.rows`
    insert into links (id, kind, token_hash, user_id, browser_hash, network, by_browser, created_at, expires_at)
    values (${link.id}, ${link.kind}, ${link.tokenHash}, ${link.userId}, ${link.browser}, ${link.network}, ${byBrowser},
            ${tx.now}, ${link.expiresAt})`
}

export function findLink(db: Sql, kinds: readonly LinkKind[], tokenHash: Uint8Array, now: Date) {
  return db.maybe<MailedLink>`
    select kind, user_id as "userId", browser_hash as browser, network, by_browser as "byBrowser" from links
    where token_hash = ${tokenHash} and kind = any(${kinds}) and used_at is null and expires_at > ${now}`
}

export function useLink(tx: Tx, kinds: readonly LinkKind[], tokenHash: Uint8Array) {
  return tx.maybe<MailedLink>`
    update links set used_at = ${tx.now}
    where token_hash = ${tokenHash} and kind = any(${kinds}) and used_at is null and expires_at > ${tx.now}
    returning kind, user_id as "userId", browser_hash as browser, network, by_browser as "byBrowser"`
}

export async function dropLinks(tx: Tx, user: UserId, kinds: readonly LinkKind[]): Promise<void> {
  await tx.rows`delete from links where user_id = ${user} and kind = any(${kinds}) and used_at is null`
}

export async function sweepLinks(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from links where id in (select id from links where expires_at < ${expiredBefore} limit ${most}) returning id`
  return deleted.length
}
