// SQL of authenticator apps and recovery codes.
import type { UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { PageOfTexts, SealedText } from '../../platform/sealed-data.ts'

/** Stores a pending secret, which replaces an earlier pending one. False when one is already confirmed. */
export async function putPendingSecret(tx: Tx, user: UserId, sealed: string): Promise<boolean> {
  const rows = await tx.rows`
    insert into totp_secrets as t (user_id, sealed_secret, created_at) values (${user}, ${sealed}, ${tx.now})
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
    where t.confirmed_at is null
    returning user_id`
  return rows.length === 1
}

export function findConfirmedSecret(tx: Tx, user: UserId) {
  return tx.maybe<{ sealed: string }>`
    select sealed_secret as sealed from totp_secrets where user_id = ${user} and confirmed_at is not null`
}

export function findPendingSecret(tx: Tx, user: UserId, begunAfter: Date) {
  return tx.maybe<{ sealed: string }>`
    select sealed_secret as sealed from totp_secrets
    where user_id = ${user} and confirmed_at is null and created_at > ${begunAfter}`
}

/** The confirming code is not marked as used, so that it still works for a sign-in right afterwards. */
export async function confirmSecret(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`
    update totp_secrets set confirmed_at = ${tx.now} where user_id = ${user} and confirmed_at is null`
}

/** Consumes a time step. Of concurrent calls on all replicas, exactly one gets true. */
export async function useStep(tx: Tx, user: UserId, step: number): Promise<boolean> {
  const rows = await tx.rows`
    update totp_secrets set last_step = ${step}
    where user_id = ${user} and confirmed_at is not null and (last_step is null or last_step < ${step})
    returning user_id`
  return rows.length === 1
}

export async function deleteSecret(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`delete from totp_secrets where user_id = ${user}`
}

/** For an account that its owner recovers: a thief may have added it. Whether a confirmed one was deleted. */
export async function deleteSecretSince(tx: Tx, user: UserId, since: Date): Promise<boolean> {
  const rows = await tx.rows<{ isConfirmed: boolean }>`
    delete from totp_secrets where user_id = ${user} and coalesce(confirmed_at, created_at) >= ${since}
    returning confirmed_at is not null as "isConfirmed"`
  return rows.some(({ isConfirmed }) => isConfirmed)
}

export async function replaceRecoveryCodes(
  tx: Tx,
  user: UserId,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await deleteRecoveryCodes(tx, user)
  await tx.rows`
    insert into recovery_codes (user_id, hash, created_at)
    select ${user}, each.hash, ${tx.now} from unnest(${hashes}::bytea[]) as each(hash)`
}

/** Consumes a recovery code: true once per code. */
export async function useRecoveryCode(tx: Tx, user: UserId, hash: Uint8Array): Promise<boolean> {
  const rows = await tx.rows`
    update recovery_codes set used_at = ${tx.now}
    where user_id = ${user} and hash = ${hash} and used_at is null returning user_id`
  return rows.length === 1
}

export async function deleteRecoveryCodes(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`delete from recovery_codes where user_id = ${user}`
}

export function countFactors(db: Sql, user: UserId) {
  return db.one<{ recoveryCodesLeft: number; passkeys: number }>`
    select (select count(*)::int from recovery_codes where user_id = ${user} and used_at is null) as "recoveryCodesLeft",
           (select count(*)::int from passkeys where user_id = ${user}) as passkeys`
}

/** Secrets of authenticator apps that another service secret has sealed. Needs the platform scope. */
export const listAuthenticatorTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select user_id as id, sealed_secret as sealed from totp_secrets
    where user_id > ${after} and not starts_with(sealed_secret, ${keyId}) order by user_id limit ${limit}`

export const replaceAuthenticatorTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update totp_secrets set sealed_secret = ${sealed} where user_id = ${was.id} and sealed_secret = ${was.sealed}`
