// SQL of authentication and of accounts. Sessions, links and keys have their own files.
import { normaliseEmail } from '../kernel/email.ts'
import type { Id, KeyId, OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { IpEntry } from '../orgs/orgs.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { OrgRole, StaffTier } from '../platform/http/actor.ts'
import type { Language } from '../platform/texts/language.ts'

/** Everything that access checks of a request need, in one row. */
export type PrincipalRow = {
  user_id: UserId
  email: string
  language: Language | null
  verified: boolean
  mfa_enabled: boolean
  org_id: OrgId
  org_name: string
  org_type: string
  org_tier: string
  currency: Currency
  suspended: boolean
  kyc_status: string
  allowed_lanes: ('open' | 'frontier')[]
  allowed_models: string[] | null
  plan_code: string | null
  subscription_status: string | null
  residency_region: string | null
  sso_required: boolean
  ip_allow_list: IpEntry[] | null
  role: OrgRole
  staff_role: StaffTier | null
}
/** Of a person, and not of their keys. */
export type PersonRow = PrincipalRow & {
  /** The new address that waits for its confirmation. */
  pending_email: string | null
  pending_email_until: Date | null
}
export type SessionRow = PersonRow & {
  session_id: Id<'ses'>
  token_hash: Uint8Array
  last_seen_at: Date
  sso_org_id: OrgId | null
  created_at: Date
  second_factor_at: Date | null
  previous_token_hash: Uint8Array | null
  previous_until: Date | null
}
export type KeyRow = PrincipalRow &
  LimitsRow & {
    key_id: KeyId
    name: string
    scopes: string[]
    last_used_at: Date | null
    address_refused_at: Date | null
    /** The limits of the keys that created this one; null without such keys. */
    inherited: (LimitsRow & { key_id: KeyId })[] | null
  }
export type LimitsRow = {
  models: string[] | null
  requests_per_minute: number | null
  tokens_per_minute: number | null
  allowed_addresses: string[] | null
}

/** The sessions among these that are open. */
export function sessionsById(db: Sql, ids: readonly string[], now: Date, idleSince: Date) {
  return db.rows<SessionRow>`
    select s.id as session_id, s.token_hash, s.last_seen_at, s.sso_org_id, s.created_at, s.second_factor_at, s.previous_token_hash, s.previous_until,
           u.id as user_id, u.email, u.language, u.verified_at is not null as verified, u.mfa_enabled,
           o.id as org_id, o.name as org_name, o.type as org_type, o.tier as org_tier, o.currency,
           o.suspended_at is not null as suspended, o.kyc_status, o.allowed_lanes, o.allowed_models, o.residency_region, o.plan_code, o.subscription_status, o.sso_required, o.ip_allow_list, m.role, f.role as staff_role,
           c.new_email as pending_email, c.expires_at as pending_email_until
    from sessions s
    join users u on u.id = s.user_id
    join org_members m on m.org_id = s.org_id and m.user_id = s.user_id
    join org_profiles o on o.id = s.org_id
    left join staff f on f.user_id = s.user_id
    left join email_changes c on c.user_id = s.user_id and c.state = 'pending' and c.expires_at > ${now}
    where s.id = any(${ids}::text[]) and s.revoked_at is null and s.expires_at > ${now} and s.last_seen_at > ${idleSince}`
}

/** The keys among these that are valid. */
export function keysByHash(db: Sql, hashes: readonly Uint8Array[], now: Date) {
  return db.rows<KeyRow & { hash: Uint8Array }>`
    select k.hash, k.id as key_id, k.name, k.scopes, k.last_used_at, k.models, k.requests_per_minute, k.tokens_per_minute,
           k.allowed_addresses, k.address_refused_at,
           case when k.parent_id is not null then
             (select jsonb_agg(jsonb_build_object('key_id', a.id, 'models', a.models, 'requests_per_minute', a.requests_per_minute,
                'tokens_per_minute', a.tokens_per_minute, 'allowed_addresses', a.allowed_addresses))
              from api_keys a where a.id = any(k.ancestors))
           end as inherited,
           u.id as user_id, u.email, u.language, u.verified_at is not null as verified, u.mfa_enabled,
           o.id as org_id, o.name as org_name, o.type as org_type, o.tier as org_tier, o.currency,
           o.suspended_at is not null as suspended, o.kyc_status, o.allowed_lanes, o.allowed_models, o.residency_region, o.plan_code, o.subscription_status, o.sso_required, o.ip_allow_list, m.role, f.role as staff_role
    from api_keys k
    join users u on u.id = k.user_id
    join org_members m on m.org_id = k.org_id and m.user_id = k.user_id
    join org_profiles o on o.id = k.org_id
    left join staff f on f.user_id = k.user_id
    where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`
}

/** For the development bearer token: the user in the organisation they joined first. */
export function personById(db: Sql, id: UserId, now: Date) {
  return db.maybe<PersonRow>`
    select u.id as user_id, u.email, u.language, u.verified_at is not null as verified, u.mfa_enabled,
           o.id as org_id, o.name as org_name, o.type as org_type, o.tier as org_tier, o.currency,
           o.suspended_at is not null as suspended, o.kyc_status, o.allowed_lanes, o.allowed_models, o.residency_region, o.plan_code, o.subscription_status, o.sso_required, o.ip_allow_list, m.role, f.role as staff_role,
           c.new_email as pending_email, c.expires_at as pending_email_until
    from users u
    join org_members m on m.user_id = u.id
    join org_profiles o on o.id = m.org_id
    left join staff f on f.user_id = u.id
    left join email_changes c on c.user_id = u.id and c.state = 'pending' and c.expires_at > ${now}
    where u.id = ${id}
    order by m.created_at, m.org_id limit 1`
}

/** An account as the ways to sign in see it. */
export type User = {
  id: UserId
  email: string
  name: string | null
  verified: boolean
  passwordHash: string | null
  mfaEnabled: boolean
}

export function userByEmail(db: Sql, email: string) {
  return db.maybe<User>`
    select id, email, name, verified_at is not null as verified, password_hash as "passwordHash", mfa_enabled as "mfaEnabled"
    from users where email = ${email}`
}

export function userById(db: Sql, id: UserId) {
  return db.maybe<User>`
    select id, email, name, verified_at is not null as verified, password_hash as "passwordHash", mfa_enabled as "mfaEnabled"
    from users where id = ${id}`
}

/** As `userById`, with a lock on the account until the transaction ends. */
export function lockUser(tx: Tx, id: UserId) {
  return tx.maybe<User>`
    select id, email, name, verified_at is not null as verified, password_hash as "passwordHash", mfa_enabled as "mfaEnabled"
    from users where id = ${id} for no key update`
}

export type NewUser = {
  id: UserId
  email: string
  name: string | null
  passwordHash: string | null
  verifiedAt: Date | null
  language: Language | null
}

/** False when the address already has an account. */
export async function insertUser(tx: Tx, user: NewUser): Promise<boolean> {
  const rows = await tx.rows`
    insert into users (id, email, name, password_hash, verified_at, language, created_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.verifiedAt}, ${user.language}, ${tx.now})
    on conflict (email) do nothing returning id`
  return rows.length === 1
}

export async function verifyUser(tx: Tx, id: UserId): Promise<void> {
  await tx.rows`update users set verified_at = ${tx.now} where id = ${id} and verified_at is null`
}

export async function setPassword(tx: Tx, id: UserId, hash: string): Promise<void> {
  await tx.rows`update users set password_hash = ${hash}, password_changed_at = ${tx.now} where id = ${id}`
}

/** The unique constraint of the column refuses an address of another account. */
export async function setEmail(tx: Tx, id: UserId, email: string): Promise<void> {
  await tx.rows`update users set email = ${email} where id = ${id}`
}

/**
 * Takes an address from an account that never confirmed it. That account keeps no way to sign in. Its new address is
 * unknown in advance, because another account that had it would prevent the change.
 */
export async function releaseUnverifiedEmail(tx: Tx, email: string): Promise<void> {
  await tx.rows`
    update users set email = id || '.' || gen_random_uuid() || '@released.invalid', password_hash = null
    where email = ${email} and verified_at is null`
}

/** For a password that was set before the address was confirmed. */
export async function dropPassword(tx: Tx, id: UserId): Promise<void> {
  await tx.rows`update users set password_hash = null, password_changed_at = ${tx.now} where id = ${id}`
}

export async function setMfaEnabled(tx: Tx, id: UserId, enabled: boolean): Promise<void> {
  await tx.rows`update users set mfa_enabled = ${enabled} where id = ${id}`
}

/** Changes nothing once the account is verified. */
export async function updateUnverified(
  tx: Tx,
  id: UserId,
  { name, language }: { name: string | null; language: Language | null },
): Promise<void> {
  await tx.rows`
    update users set name = ${name}, language = coalesce(${language}, language)
    where id = ${id} and verified_at is null`
}

/** Replaces the hash of an unchanged password; does nothing if it was changed meanwhile. */
export async function rehashPassword(tx: Tx, id: UserId, from: string, to: string): Promise<void> {
  await tx.rows`update users set password_hash = ${to} where id = ${id} and password_hash = ${from}`
}

/** Sets the organisation that the next sign-in opens. */
export async function setActiveOrg(tx: Tx, id: UserId, org: OrgId): Promise<void> {
  await tx.rows`update users set active_org_id = ${org} where id = ${id}`
}

export async function touchKey(db: Sql, id: string, now: Date): Promise<void> {
  await db.rows`update api_keys set last_used_at = ${now} where id = ${id}`
}

/** False when a refusal of this key was recorded after `since`. */
export async function markAddressRefused(tx: Tx, id: KeyId, since: Date): Promise<boolean> {
  const rows = await tx.rows`
    update api_keys set address_refused_at = ${tx.now}
    where id = ${id} and (address_refused_at is null or address_refused_at <= ${since}) returning id`
  return rows.length === 1
}

/** An omitted field stays unchanged. */
export async function updateUser(
  tx: Tx,
  user: UserId,
  { name, language }: { name?: string | undefined; language?: Language | undefined },
): Promise<void> {
  await tx.rows`
    update users set name = coalesce(${name ?? null}, name), language = coalesce(${language ?? null}, language)
    where id = ${user}`
}

export async function languageById(db: Sql, user: UserId): Promise<Language | null> {
  return (
    (await db.maybe<{ language: Language | null }>`select language from users where id = ${user}`)
      ?.language ?? null
  )
}

export async function languageByEmail(db: Sql, email: string): Promise<Language | null> {
  const found = await db.maybe<{ language: Language | null }>`
    select language from users where email = ${normaliseEmail(email)}`
  return found?.language ?? null
}

export async function countUsers(tx: Tx): Promise<bigint> {
  return (await tx.one<{ n: bigint }>`select count(*) as n from users`).n
}
