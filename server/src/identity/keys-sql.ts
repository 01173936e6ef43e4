// Every statement about API keys. The gate's own is in sql.ts.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { NewApiKey } from './keys.ts'

export async function insertKey(
  tx: Tx,
  key: NewApiKey & { id: Id<'key'>; prefix: string; hash: Uint8Array },
): Promise<void> {
  await tx.rows`
    insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, created_at, expires_at)
    values (${key.id}, ${key.orgId}, ${key.userId}, ${key.name}, ${key.prefix}, ${key.hash},
            ${[...key.scopes]}::text[], ${tx.now}, ${key.expiresAt})`
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

/** Those that were not revoked, newest first; of everybody when no holder is named. */
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

export type RevokedKey = { userId: UserId; email: string; name: string; prefix: string }

/** Of many at the same time exactly one revokes it, all others find nothing. */
export function revokeKey(tx: Tx, id: string, org: OrgId, holder: UserId | null) {
  return tx.maybe<RevokedKey>`
    update api_keys k set revoked_at = ${tx.now} from users u
    where k.id = ${id} and k.org_id = ${org} and k.revoked_at is null and u.id = k.user_id
      and (${holder}::text is null or k.user_id = ${holder})
    returning u.id as "userId", u.email, k.name, k.prefix`
}

export async function revokeKeysOf(tx: Tx, user: UserId, org: OrgId): Promise<void> {
  await tx.rows`
    update api_keys set revoked_at = ${tx.now} where user_id = ${user} and org_id = ${org} and revoked_at is null`
}

/** When a key ends; null when it does not. */
export async function endOfKey(tx: Tx, id: string): Promise<Date | null> {
  const row = await tx.maybe<{ expires_at: Date | null }>`select expires_at from api_keys where id = ${id}`
  return row?.expires_at ?? null
}
