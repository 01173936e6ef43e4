// Links in mails. Each works once, is stored as a hash, and replaces the older one of its kind.
import { hash, randomBytes } from 'node:crypto'
import { after, type Duration } from '../../kernel/clock.ts'
import { type Id, newId, type UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import { lockUser, type User } from '../sql.ts'

export type LinkKind = 'verify' | 'reset' | 'magic' | 'invitation'

const LIFETIMES: Record<LinkKind, Duration> = {
  verify: { hours: 24 },
  reset: { hours: 1 },
  magic: { minutes: 15 },
  invitation: { days: 7 },
}

/** The requester of a link. The client that opens it is compared with it. */
export type LinkRequester = {
  /** The hash of the device cookie. */
  browser: Uint8Array | null
  network: string | null
  byBrowser: boolean
}
export type MailedLink = LinkRequester & { kind: LinkKind; userId: UserId }

const NO_REQUESTER: LinkRequester = { browser: null, network: null, byBrowser: false }

/**
 * Creates a link and returns its token. Earlier unused links of the same kind stop working. If a browser
 * requested one of them, the new link counts as requested by a browser: a second request by a program must
 * not make the link easier to consume.
 */
export async function createLink(
  tx: Tx,
  { kind, userId, requester }: { kind: LinkKind; userId: UserId; requester?: LinkRequester | null },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = after(tx.now, LIFETIMES[kind])
  await replaceLinks(tx, {
    id: newId('lnk'),
    kind,
    tokenHash: hashOf(token),
    userId,
    expiresAt,
    ...(requester ?? NO_REQUESTER),
  })
  return { token, expiresAt }
}

/** Finds a link without consuming it; null when it is unknown, expired or used. */
export async function peekLink(db: Sql, kinds: readonly LinkKind[], token: string, now: Date) {
  return (await findLink(db, kinds, hashOf(token), now)) ?? null
}

/**
 * Consumes a token. Of concurrent calls exactly one gets the link with its account, the others null. Locks
 * the account before the link, as every other writer of links does, to avoid deadlocks.
 */
export async function useLink(
  tx: Tx,
  kinds: readonly LinkKind[],
  token: string,
): Promise<(MailedLink & { user: User }) | null> {
  const tokenHash = hashOf(token)
  const found = await findLink(tx, kinds, tokenHash, tx.now)
  const user = found && (await lockUser(tx, found.userId))
  const link = user && (await markUsed(tx, kinds, tokenHash))
  return link ? { ...link, user } : null
}

type NewMailedLink = MailedLink & { id: Id<'lnk'>; tokenHash: Uint8Array; expiresAt: Date }

async function replaceLinks(tx: Tx, link: NewMailedLink): Promise<void> {
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

function findLink(db: Sql, kinds: readonly LinkKind[], tokenHash: Uint8Array, now: Date) {
  return db.maybe<MailedLink>`
    select kind, user_id as "userId", browser_hash as browser, network, by_browser as "byBrowser" from links
    where token_hash = ${tokenHash} and kind = any(${kinds}) and used_at is null and expires_at > ${now}`
}

function markUsed(tx: Tx, kinds: readonly LinkKind[], tokenHash: Uint8Array) {
  return tx.maybe<MailedLink>`
    update links set used_at = ${tx.now}
    where token_hash = ${tokenHash} and kind = any(${kinds}) and used_at is null and expires_at > ${tx.now}
    returning kind, user_id as "userId", browser_hash as browser, network, by_browser as "byBrowser"`
}

/** Deletes unused links, for example after a password change. */
export async function dropLinks(tx: Tx, user: UserId, kinds: readonly LinkKind[]): Promise<void> {
  await tx.rows`delete from links where user_id = ${user} and kind = any(${kinds}) and used_at is null`
}

export async function sweepLinks(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from links where id in (select id from links where expires_at < ${expiredBefore} limit ${most}) returning id`
  return deleted.length
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
