// SQL of passkeys and their challenges.
import type { Id, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { NewPasskeyCredential } from './webauthn.ts'

/** A user who adds a passkey, or a browser that signs in. */
export type PasskeyRequester = { userId: UserId; browser: null } | { userId: null; browser: Uint8Array }

export type Passkey = {
  id: Id<'pky'>
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  backedUp: boolean
}
export type NewPasskey = NewPasskeyCredential & {
  id: Id<'pky'>
  userId: UserId
  name: string
  transports: string[]
}

// Each new challenge deletes several expired ones, so that they do not pile up.
const SWEPT_AT_ONCE = 10

export type NewPasskeyChallenge = PasskeyRequester & { hash: Uint8Array; expiresAt: Date }

export async function insertChallenge(db: Sql, challenge: NewPasskeyChallenge, now: Date): Promise<void> {
  await db.rows`
    with swept as (
      delete from passkey_challenges where hash in (
        select hash from passkey_challenges where expires_at < ${now} limit ${SWEPT_AT_ONCE} for update skip locked))
    insert into passkey_challenges (hash, user_id, browser_hash, expires_at)
    values (${challenge.hash}, ${challenge.userId}, ${challenge.browser}, ${challenge.expiresAt})`
}

/** Consumes a challenge. Of concurrent calls on all replicas, exactly one gets true. */
export async function consumeChallenge(
  db: Sql,
  hash: Uint8Array,
  requester: PasskeyRequester,
  now: Date,
): Promise<boolean> {
  const rows = await db.rows`
    delete from passkey_challenges
    where hash = ${hash} and expires_at > ${now}
      and user_id is not distinct from ${requester.userId} and browser_hash is not distinct from ${requester.browser}
    returning hash`
  return rows.length === 1
}

export function listPasskeys(db: Sql, user: UserId) {
  return db.rows<Passkey>`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt", backed_up as "backedUp"
    from passkeys where user_id = ${user} order by created_at, id`
}

/** For an account that its owner recovers: a thief may have added them. */
export async function deletePasskeysSince(tx: Tx, user: UserId, since: Date): Promise<void> {
  await tx.rows`delete from passkeys where user_id = ${user} and created_at >= ${since}`
}

/** Credentials of an account, so that an authenticator does not create a second one. */
export function listCredentials(db: Sql, user: UserId) {
  return db.rows<{ credentialId: Uint8Array; transports: string[] }>`
    select credential_id as "credentialId", transports from passkeys where user_id = ${user} order by created_at, id`
}

export async function countPasskeys(tx: Tx, user: UserId): Promise<number> {
  const row = await tx.one<{ count: number }>`
    select count(*)::int as count from passkeys where user_id = ${user}`
  return row.count
}

/** Undefined when any account already has the credential. */
export function insertPasskey(tx: Tx, passkey: NewPasskey) {
  return tx.maybe<Passkey>`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
    values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
            ${passkey.transports}::text[], ${passkey.backedUp}, ${passkey.name}, ${tx.now})
    on conflict (credential_id) do nothing
    returning id, name, created_at as "createdAt", last_used_at as "lastUsedAt", backed_up as "backedUp"`
}

export function deletePasskey(tx: Tx, user: UserId, id: string) {
  return tx.maybe<{ name: string }>`
    delete from passkeys where id = ${id} and user_id = ${user} returning name`
}

export async function findCredential(db: Sql, credentialId: Uint8Array) {
  const row = await db.maybe<{
    id: Id<'pky'>
    userId: UserId
    publicKey: Uint8Array<ArrayBuffer>
    counter: bigint
  }>`
    select id, user_id as "userId", public_key as "publicKey", counter
    from passkeys where credential_id = ${credentialId}`
  return row && { ...row, counter: Number(row.counter) }
}

/** Records a use. False when the passkey is gone, or its counter did not increase: it may be cloned. */
export async function usePasskey(
  tx: Tx,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  const rows = await tx.rows`
    update passkeys set counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${tx.now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`
  return rows.length === 1
}
