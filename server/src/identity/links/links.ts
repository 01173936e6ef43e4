// Links in mails. Each works once, is stored as a hash, and replaces the older one of its kind.
import { hash, randomBytes } from 'node:crypto'
import { after, type Duration } from '../../kernel/clock.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import { lockUser, type User } from '../sql.ts'
import * as sql from './links-sql.ts'

export type LinkKind = 'verify' | 'reset' | 'magic' | 'invitation'

const LIFETIMES: Record<LinkKind, Duration> = {
  verify: { hours: 24 },
  reset: { hours: 1 },
  magic: { minutes: 15 },
  invitation: { days: 7 },
}

/** Who asked for a link. Whoever opens it is compared with that. */
export type LinkRequester = {
  /** The hash of the device cookie that they had or got. */
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
  await sql.replaceLinks(tx, {
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
  return (await sql.findLink(db, kinds, hashOf(token), now)) ?? null
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
  const found = await sql.findLink(tx, kinds, tokenHash, tx.now)
  const user = found && (await lockUser(tx, found.userId))
  const link = user && (await sql.useLink(tx, kinds, tokenHash))
  return link ? { ...link, user } : null
}

/** Deletes unused links, for example after a password change. */
export const dropLinks = (tx: Tx, userId: UserId, kinds: readonly LinkKind[]): Promise<void> =>
  sql.dropLinks(tx, userId, kinds)

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
