// Links that we mail. Each opens one thing once; only a hash of it is kept, and a newer one replaces the older.
import { hash, randomBytes } from 'node:crypto'
import { after, type Duration } from '../kernel/clock.ts'
import { newId, type UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import * as sql from './links-sql.ts'

export type LinkKind = 'verify' | 'reset' | 'magic' | 'invitation'

const LIVES: Record<LinkKind, Duration> = {
  verify: { hours: 24 },
  reset: { hours: 1 },
  magic: { minutes: 15 },
  invitation: { days: 7 },
}

export type Link = {
  kind: LinkKind
  userId: UserId
  /** The hash of the device cookie of the browser that asked; null when no browser did. */
  browser: Uint8Array | null
}

/** The token of a new link. Earlier unused ones of the same kind stop working. */
export async function makeLink(
  tx: Tx,
  { kind, userId, browser }: { kind: LinkKind; userId: UserId; browser?: Uint8Array | null },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = after(tx.now, LIVES[kind])
  await sql.replaceLinks(tx, {
    id: newId('lnk'),
    kind,
    tokenHash: hashOf(token),
    userId,
    browser: browser ?? null,
    expiresAt,
  })
  return { token, expiresAt }
}

/** What a token would open, without using it up; null when it is unknown, expired or used. */
export async function peekLink(db: Sql, kinds: readonly LinkKind[], token: string, now: Date) {
  return (await sql.findLink(db, kinds, hashOf(token), now)) ?? null
}

/** Uses a token up: of many at the same time exactly one gets the link, all others null. */
export async function useLink(tx: Tx, kinds: readonly LinkKind[], token: string): Promise<Link | null> {
  return (await sql.useLink(tx, kinds, hashOf(token))) ?? null
}

/** Unused links of these kinds stop working: the password was changed, say. */
export const dropLinks = (tx: Tx, userId: UserId, kinds: readonly LinkKind[]): Promise<void> =>
  sql.dropLinks(tx, userId, kinds)

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
