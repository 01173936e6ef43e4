// SQL of API keys. The query that authenticates a key is in ../sql.ts.
import type { Id, KeyId, OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Scope } from '../../platform/http/actor.ts'

export type StoredLimits = {
  budgetMinor: bigint | null
  budgetPeriod: 'total' | 'day' | 'week' | 'month'
  models: string[] | null
  requestsPerMinute: number | null
  tokensPerMinute: number | null
  allowedAddresses: string[] | null
}

export type NewApiKey = {
  orgId: OrgId
  userId: UserId
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  /** The key that creates it; null when a person does. */
  parentId: KeyId | null
  limits: StoredLimits
}

export async function insertKey(
  tx: Tx,
  key: NewApiKey & { id: Id<'key'>; prefix: string; hash: Uint8Array },
): Promise<void> {
  await tx.rows`
    insert into api_keys (id, org_id, user_id, name, prefix, hash, scopes, created_at, expires_at, parent_id, ancestors,
      budget_minor, budget_period, models, requests_per_minute, tokens_per_minute, allowed_addresses)
    values (${key.id}, ${key.orgId}, ${key.userId}, ${key.name}, ${key.prefix}, ${key.hash},
            ${[...key.scopes]}::text[], ${tx.now}, ${key.expiresAt}, ${key.parentId},
            coalesce((select parent.id || parent.ancestors from api_keys parent where parent.id = ${key.parentId}), '{}'),
            ${key.limits.budgetMinor}, ${key.limits.budgetPeriod}, ${key.limits.models}::text[],
            ${key.limits.requestsPerMinute}, ${key.limits.tokensPerMinute}, ${key.limits.allowedAddresses}::text[])`
}

export async function countLiveKeys(tx: Tx, user: UserId, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from api_keys
    where org_id = ${org} and user_id = ${user} and revoked_at is null
      and (expires_at is null or expires_at > ${tx.now})`
  return n
}

/** Whether the key may still be used: it is neither revoked nor expired. */
export async function isLiveKey(tx: Tx, org: OrgId, id: KeyId): Promise<boolean> {
  const row = await tx.maybe`
    select id from api_keys
    where id = ${id} and org_id = ${org} and revoked_at is null and (expires_at is null or expires_at > ${tx.now})`
  return row !== undefined
}

export type ListedKey = StoredLimits & {
  id: Id<'key'>
  name: string
  scopes: string[]
  prefix: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
  userId: UserId
  email: string
  /** In the current budget period. */
  spentMinor: bigint
  heldMinor: bigint
}

export type KeyFilter = {
  org: OrgId
  holder: UserId | null
  only?: KeyId | null
  before?: string | null
  most: number
}

/** Keys that are not revoked, newest first. A null holder means all users. */
export function listKeys(
  tx: Tx,
  { org, holder, only = null, before = null, most }: KeyFilter,
): Promise<ListedKey[]> {
  return tx.rows<ListedKey>`
    select k.id, k.name, k.scopes, k.prefix, k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
           k.expires_at as "expiresAt", u.id as "userId", u.email, k.budget_minor as "budgetMinor",
           k.budget_period as "budgetPeriod", k.models, k.requests_per_minute as "requestsPerMinute",
           k.tokens_per_minute as "tokensPerMinute", k.allowed_addresses as "allowedAddresses",
           used.spent as "spentMinor", used.held as "heldMinor"
    from api_keys k join users u on u.id = k.user_id
    cross join lateral key_used(k.org_id, k.id,
      key_period_start(k.budget_period, (${tx.now}::timestamptz at time zone 'UTC')::date)) used
    where k.org_id = ${org} and k.revoked_at is null
      and (${only}::text is null or k.id = ${only})
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

export type ChangedKey = StoredLimits & { id: KeyId; name: string; ancestors: KeyId[] }

/** Locks a key that is not revoked for a change. */
export function lockForChange(tx: Tx, id: string, org: OrgId, holder: UserId | null) {
  return tx.maybe<ChangedKey>`
    select id, name, ancestors, budget_minor as "budgetMinor", budget_period as "budgetPeriod", models,
           requests_per_minute as "requestsPerMinute", tokens_per_minute as "tokensPerMinute",
           allowed_addresses as "allowedAddresses"
    from api_keys where id = ${id} and org_id = ${org} and revoked_at is null
      and (${holder}::text is null or user_id = ${holder}) for no key update`
}

export async function writeKey(tx: Tx, key: ChangedKey): Promise<void> {
  await tx.rows`
    update api_keys set name = ${key.name}, budget_minor = ${key.budgetMinor}, budget_period = ${key.budgetPeriod},
      models = ${key.models}::text[], requests_per_minute = ${key.requestsPerMinute},
      tokens_per_minute = ${key.tokensPerMinute}, allowed_addresses = ${key.allowedAddresses}::text[]
    where id = ${key.id}`
}

/** The limits of these keys. */
export function limitsOf(tx: Tx, ids: readonly KeyId[]) {
  return tx.rows<StoredLimits>`
    select budget_minor as "budgetMinor", budget_period as "budgetPeriod", models,
           requests_per_minute as "requestsPerMinute", tokens_per_minute as "tokensPerMinute",
           allowed_addresses as "allowedAddresses"
    from api_keys where id = any(${[...ids]}::text[])`
}

/** Locks a key that is not revoked against revocation until the transaction ends. */
export function lockKey(tx: Tx, id: string) {
  return tx.maybe<{ expiresAt: Date | null; ancestors: KeyId[] }>`
    select expires_at as "expiresAt", ancestors from api_keys where id = ${id} and revoked_at is null for share`
}
