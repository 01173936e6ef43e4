// SQL of sign-in with GitHub.
import type { Id, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type GithubFlow = {
  verifier: string
  next: string
  currency: Currency
  /** Set to link the identity to an account, while this session is open. */
  userId: UserId | null
  sessionId: Id<'ses'> | null
}
export type GithubIdentity = { subject: string; login: string }

export async function insertFlow(
  db: Sql,
  flow: GithubFlow & { keyHash: Uint8Array; browserHash: Uint8Array; expiresAt: Date },
): Promise<void> {
  await db.rows`
    insert into github_flows (key_hash, browser_hash, verifier, next, currency, user_id, session_id, expires_at)
    values (${flow.keyHash}, ${flow.browserHash}, ${flow.verifier}, ${flow.next}, ${flow.currency}, ${flow.userId},
            ${flow.sessionId}, ${flow.expiresAt})`
}

/** Of concurrent calls exactly one gets the flow. */
export function consumeFlow(db: Sql, keyHash: Uint8Array, browserHash: Uint8Array, now: Date) {
  return db.maybe<GithubFlow>`
    update github_flows set used_at = ${now}
    where key_hash = ${keyHash} and browser_hash = ${browserHash} and used_at is null and expires_at > ${now}
    returning verifier, next, currency, user_id as "userId", session_id as "sessionId"`
}

export async function sweepFlows(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from github_flows where key_hash in (
      select key_hash from github_flows where expires_at < ${expiredBefore} limit ${most}) returning key_hash`
  return deleted.length
}

export async function sweepConfirmations(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from github_confirmations where token_hash in (
      select token_hash from github_confirmations where expires_at < ${expiredBefore} limit ${most}) returning token_hash`
  return deleted.length
}

/** First sign-ins of one person queue here, so that they do not open two accounts. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx.rows`select pg_advisory_xact_lock(hashtextextended(${`github ${subject}`}, 0))`
}

export async function findUserBySubject(tx: Tx, subject: string): Promise<UserId | null> {
  const row = await tx.maybe<{ userId: UserId }>`
    select user_id as "userId" from github_identities where subject = ${subject}`
  return row?.userId ?? null
}

/** False when the identity is no longer linked to the account. */
export async function touchIdentity(tx: Tx, subject: string, user: UserId): Promise<boolean> {
  const rows = await tx.rows`
    update github_identities set last_used_at = ${tx.now}
    where subject = ${subject} and user_id = ${user} returning subject`
  return rows.length === 1
}

/** False when the account or the identity is linked already. */
export async function insertIdentity(
  tx: Tx,
  { subject, login }: GithubIdentity,
  user: UserId,
): Promise<boolean> {
  const rows = await tx.rows`
    insert into github_identities (subject, user_id, login, linked_at, last_used_at)
    values (${subject}, ${user}, ${login}, ${tx.now}, ${tx.now}) on conflict do nothing returning subject`
  return rows.length === 1
}

export function findIdentity(db: Sql, user: UserId) {
  return db.maybe<{ login: string; linkedAt: Date; lastUsedAt: Date }>`
    select login, linked_at as "linkedAt", last_used_at as "lastUsedAt" from github_identities where user_id = ${user}`
}

export function deleteIdentity(tx: Tx, user: UserId) {
  return tx.maybe<GithubIdentity>`
    delete from github_identities where user_id = ${user} returning subject, login`
}

export async function replaceConfirmation(
  tx: Tx,
  { subject, login }: GithubIdentity,
  { tokenHash, userId, expiresAt }: { tokenHash: Uint8Array; userId: UserId; expiresAt: Date },
): Promise<void> {
  await dropConfirmations(tx, userId)
  await tx.rows`
    insert into github_confirmations (token_hash, user_id, subject, login, expires_at)
    values (${tokenHash}, ${userId}, ${subject}, ${login}, ${expiresAt})`
}

export async function dropConfirmations(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`delete from github_confirmations where user_id = ${user}`
}

export function useConfirmation(tx: Tx, tokenHash: Uint8Array) {
  return tx.maybe<GithubIdentity & { userId: UserId; isOpen: boolean }>`
    delete from github_confirmations where token_hash = ${tokenHash}
    returning subject, login, user_id as "userId", expires_at > ${tx.now} as "isOpen"`
}
