// Links that we mail. Each opens one thing once; only a hash of it is kept, and a newer one replaces the older.
import { hash, randomBytes } from 'node:crypto'
import { after, type Duration } from '../kernel/clock.ts'
import { newId, type UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import * as sql from './links-sql.ts'
import { lockUser, type User } from './sql.ts'

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
 * The token of a new link. Earlier unused ones of the same kind stop working. Where a browser has asked for one of
 * them, the new one counts as a browser's too: a program that asks again must not make the link easier to use up.
 */
export async function createLink(
  tx: Tx,
  { kind, userId, asker }: { kind: LinkKind; userId: UserId; asker?: LinkRequester | null },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = after(tx.now, LIFETIMES[kind])
  await sql.replaceLinks(tx, {
    id: newId('lnk'),
    kind,
    tokenHash: hashOf(token),
    userId,
    expiresAt,
    ...(asker ?? NO_REQUESTER),
  })
  return { token, expiresAt }
}

/** What a token would open, without using it up; null when it is unknown, expired or used. */
export async function peekLink(db: Sql, kinds: readonly LinkKind[], token: string, now: Date) {
  return (await sql.findLink(db, kinds, hashOf(token), now)) ?? null
}

/**
 * Uses a token up: of many at the same time exactly one gets the link with its account, all others null. The account is
 * locked before the link, as it is wherever links are made or dropped: otherwise two could wait for each other.
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

/** Unused links of these kinds stop working: the password was changed, say. */
export const dropLinks = (tx: Tx, userId: UserId, kinds: readonly LinkKind[]): Promise<void> =>
  sql.dropLinks(tx, userId, kinds)

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
