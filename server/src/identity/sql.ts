// Every statement of identity; no other file names these tables.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { OrgRole, StaffTier } from '../platform/http/actor.ts'

/** One row with all that the rules of a request ask for. */
export type PrincipalRow = {
  user_id: UserId
  email: string
  verified: boolean
  mfa_enabled: boolean
  org_id: OrgId
  org_name: string
  org_type: string
  org_tier: string
  currency: Currency
  suspended: boolean
  kyc_status: string
  role: OrgRole
  staff_role: StaffTier | null
}
export type SessionRow = PrincipalRow & { session_id: Id<'ses'>; token_hash: Uint8Array; last_seen_at: Date }
export type KeyRow = PrincipalRow & { key_id: Id<'key'>; scopes: string[]; last_used_at: Date | null }

export function sessionById(db: Sql, id: string, now: Date, idleSince: Date) {
  return db.maybe<SessionRow>`
    select s.id as session_id, s.token_hash, s.last_seen_at,
           u.id as user_id, u.email, u.verified_at is not null as verified, u.mfa_enabled,
           o.id as org_id, o.name as org_name, o.type as org_type, o.tier as org_tier, o.currency,
           o.suspended_at is not null as suspended, o.kyc_status, m.role, f.role as staff_role
    from sessions s
    join users u on u.id = s.user_id
    join memberships m on m.org_id = s.org_id and m.user_id = s.user_id
    join orgs o on o.id = s.org_id
    left join staff f on f.user_id = s.user_id
    where s.id = ${id} and s.revoked_at is null and s.expires_at > ${now} and s.last_seen_at > ${idleSince}`
}

export function keyByHash(db: Sql, hash: Uint8Array, now: Date) {
  return db.maybe<KeyRow>`
    select k.id as key_id, k.scopes, k.last_used_at,
           u.id as user_id, u.email, u.verified_at is not null as verified, u.mfa_enabled,
           o.id as org_id, o.name as org_name, o.type as org_type, o.tier as org_tier, o.currency,
           o.suspended_at is not null as suspended, o.kyc_status, m.role, f.role as staff_role
    from api_keys k
    join users u on u.id = k.user_id
    join memberships m on m.org_id = k.org_id and m.user_id = k.user_id
    join orgs o on o.id = k.org_id
    left join staff f on f.user_id = k.user_id
    where k.hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`
}

/** For the development bearer: the person in the organisation they joined first. */
export function personById(db: Sql, id: UserId) {
  return db.maybe<PrincipalRow>`
    select u.id as user_id, u.email, u.verified_at is not null as verified, u.mfa_enabled,
           o.id as org_id, o.name as org_name, o.type as org_type, o.tier as org_tier, o.currency,
           o.suspended_at is not null as suspended, o.kyc_status, m.role, f.role as staff_role
    from users u
    join memberships m on m.user_id = u.id
    join orgs o on o.id = m.org_id
    left join staff f on f.user_id = u.id
    where u.id = ${id}
    order by m.created_at, m.org_id limit 1`
}

export async function roleIn(db: Sql, user: UserId, org: OrgId): Promise<OrgRole | null> {
  const row = await db.maybe<{
    role: OrgRole
  }>`select role from memberships where org_id = ${org} and user_id = ${user}`
  return row?.role ?? null
}

export function userByEmail(db: Sql, email: string) {
  return db.maybe<{ id: UserId }>`select id from users where email = ${email}`
}

/** False when the address has an account already. */
export async function insertUser(
  tx: Tx,
  user: { id: UserId; email: string; verifiedAt: Date | null },
): Promise<boolean> {
  const rows = await tx.rows`
    insert into users (id, email, verified_at, created_at) values (${user.id}, ${user.email}, ${user.verifiedAt}, ${tx.now})
    on conflict (email) do nothing returning id`
  return rows.length === 1
}

export async function insertOrg(
  tx: Tx,
  org: {
    id: OrgId
    name: string
    type: 'individual' | 'team'
    tier: 'individual' | 'team'
    currency: Currency
  },
): Promise<void> {
  await tx.rows`
    insert into orgs (id, name, type, tier, currency, created_at)
    values (${org.id}, ${org.name}, ${org.type}, ${org.tier}, ${org.currency}, ${tx.now})`
}

export async function insertMembership(tx: Tx, org: OrgId, user: UserId, role: OrgRole): Promise<void> {
  await tx.rows`insert into memberships (org_id, user_id, role, created_at) values (${org}, ${user}, ${role}, ${tx.now})`
}

export async function firstOrgOf(tx: Tx, user: UserId): Promise<OrgId> {
  const row = await tx.one<{ org_id: OrgId }>`
    select org_id from memberships where user_id = ${user} order by created_at, org_id limit 1`
  return row.org_id
}

export type NewSession = {
  id: Id<'ses'>
  tokenHash: Uint8Array
  userId: UserId
  orgId: OrgId
  ip: string
  userAgent: string
  expiresAt: Date
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.rows`
    insert into sessions (id, token_hash, user_id, org_id, ip, user_agent, created_at, last_seen_at, expires_at)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.orgId}, ${session.ip},
            ${session.userAgent}, ${tx.now}, ${tx.now}, ${session.expiresAt})`
}

export async function touchSession(db: Sql, id: string, now: Date, seenBefore: Date): Promise<void> {
  await db.rows`update sessions set last_seen_at = ${now} where id = ${id} and last_seen_at < ${seenBefore}`
}

export async function touchKey(db: Sql, id: string, now: Date): Promise<void> {
  await db.rows`update api_keys set last_used_at = ${now} where id = ${id}`
}

export async function revokeSession(tx: Tx, id: string): Promise<void> {
  await tx.rows`update sessions set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`
}
