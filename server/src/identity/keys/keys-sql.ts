// SQL of API keys. The query that authenticates a key is in ../sql.ts.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { Scope } from '../../platform/http/actor.ts'

export type NewApiKey = {
  orgId: OrgId
  userId: UserId
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  /** The key that creates it; null when a person does. */
  parentId: Id<'key'> | null
}

export async function insertKey(
  tx: Tx,
  key: NewApiKey & { id: Id<'key'>; prefix: string; hash: Uint8Array },
): Promise<void> {
  await tx.rows`
    insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, created_at, expires_at, parent_id)
    values (${key.id}, ${key.orgId}, ${key.userId}, ${key.name}, ${key.prefix}, ${key.hash},
            ${[...key.scopes]}::text[], ${tx.now}, ${key.expiresAt}, ${key.parentId})`
}

export async function countLiveKeys(tx: Tx, user: UserId, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from api_keys
    where org_id = ${org} and user_id = ${user} and revoked_at is null
      and (expires_at is null or expires_at > ${tx.now})`
  return n
}

export type ListedKey = {
  id: Id<'key'>
  name: string
  scopes: string[]
  prefix: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  userId: UserId
  email: string
}

/** Keys that are not revoked, newest first. A null holder means all users. */
export function listKeys(
  db: Sql,
  { org, holder, before, most }: { org: OrgId; holder: UserId | null; before: string | null; most: number },
): Promise<ListedKey[]> {
  return db.rows<ListedKey>`
    select k.id, k.name, k.scopes, k.prefix, k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
           k.expires_at as "expiresAt", u.id as "userId", u.email
    from api_keys k join users u on u.id = k.user_id
    where k.org_id = ${org} and k.revoked_at is null
      and (${holder}::text is null or k.user_id = ${holder})
      and (${before}::text is null or k.id < ${before})
    order by k.id desc limit ${most}`
}

export type RevokedKey = { id: Id<'key'>; userId: UserId; email: string; name: string; prefix: string }

/** Of concurrent calls exactly one revokes the key; the others find nothing. */
export function revokeKey(tx: Tx, id: string, org: OrgId, holder: UserId | null) {
  return tx.maybe<RevokedKey>`
    update api_keys k set revoked_at = ${tx.now} from users u
    where k.id = ${id} and k.org_id = ${org} and k.revoked_at is null and u.id = k.user_id
      and (${holder}::text is null or k.user_id = ${holder})
    returning k.id, u.id as "userId", u.email, k.name, k.prefix`
}

/**
 * Revokes the keys that a key created, recursively, and returns them. A later call can find more while the
 * key is still creating one.
 */
export function revokeCreatedBy(tx: Tx, id: string) {
  return tx.rows<RevokedKey>`
    with recursive created as (
      select id from api_keys where parent_id = ${id}
      union select child.id from api_keys child join created on child.parent_id = created.id)
    update api_keys k set revoked_at = ${tx.now} from users u
    where k.id in (select id from created) and k.revoked_at is null and u.id = k.user_id
    returning k.id, u.id as "userId", u.email, k.name, k.prefix`
}

export async function revokeKeysOf(tx: Tx, user: UserId, org: OrgId): Promise<void> {
  await tx.rows`
    update api_keys set revoked_at = ${tx.now} where user_id = ${user} and org_id = ${org} and revoked_at is null`
}

/** Locks a key that is not revoked against revocation until the transaction ends. */
export function lockKey(tx: Tx, id: string) {
  return tx.maybe<{ expiresAt: Date | null }>`
    select expires_at as "expiresAt" from api_keys where id = ${id} and revoked_at is null for share`
}
