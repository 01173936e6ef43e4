// Every statement about memberships. Lists and hot paths of other modules join the read-only view `org_members`.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { OrgRole } from '../platform/http/actor.ts'
import type { IpEntry } from './sql.ts'

export type Membership = {
  orgId: OrgId
  role: OrgRole
  joinedAt: Date
  /** Whether the organisation requires its own single sign-on. */
  ssoRequired: boolean
  ipAllowList: IpEntry[] | null
}

export function findMembership(db: Sql, org: OrgId, user: UserId): Promise<Membership | undefined> {
  return db.maybe<Membership>`
    select m.org_id as "orgId", m.role, m.created_at as "joinedAt", o.sso_required as "ssoRequired",
           o.ip_allow_list as "ipAllowList"
    from memberships m join orgs o on o.id = m.org_id
    where m.org_id = ${org} and m.user_id = ${user}`
}

/** As `findMembership`. The membership cannot end before this transaction does. */
export function shareMembership(tx: Tx, org: string, user: UserId): Promise<Membership | undefined> {
  return tx.maybe<Membership>`
    select m.org_id as "orgId", m.role, m.created_at as "joinedAt", o.sso_required as "ssoRequired",
           o.ip_allow_list as "ipAllowList"
    from memberships m join orgs o on o.id = m.org_id
    where m.org_id = ${org} and m.user_id = ${user} for share of m`
}

/** Whether the person is a member. A member stays one until the transaction ends. */
export async function holdMembership(tx: Tx, org: OrgId, user: UserId): Promise<boolean> {
  const rows = await tx.rows`
    select role from memberships where org_id = ${org} and user_id = ${user} for key share`
  return rows.length === 1
}

export type UserOrg = {
  orgId: OrgId
  name: string
  type: string
  role: OrgRole
  ssoRequired: boolean
  githubAllowed: boolean
}

/** The organisations of a person, or one of them; the earliest membership first. */
export function orgsOfUser(db: Sql, user: UserId, only: OrgId | null, limit: number): Promise<UserOrg[]> {
  return db.rows<UserOrg>`
    select o.id as "orgId", o.name, o.type, m.role, o.sso_required as "ssoRequired",
           o.github_sign_in as "githubAllowed"
    from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user} and (${only}::text is null or o.id = ${only})
    order by m.created_at, m.org_id limit ${limit}`
}

/**
 * Where audit events about the person alone are recorded: their personal organisation, otherwise the organisation they joined
 * first. A team does not read what a member does elsewhere.
 */
export async function homeOrg(db: Sql, user: UserId): Promise<OrgId | null> {
  const row = await db.maybe<{ org_id: OrgId }>`
    select m.org_id from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user}
    order by (o.type = 'individual' and m.role = 'owner') desc, m.created_at, m.org_id limit 1`
  return row?.org_id ?? null
}

/** The personal organisation; null for a person without one. */
export async function personalOrg(db: Sql, user: UserId): Promise<OrgId | null> {
  const row = await db.maybe<{ org_id: OrgId }>`
    select m.org_id from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user} and o.type = 'individual' and m.role = 'owner'
    order by m.created_at, m.org_id limit 1`
  return row?.org_id ?? null
}

/** Whether the person is a member of an organisation other than their personal one. */
export async function belongsElsewhere(db: Sql, user: UserId): Promise<boolean> {
  const row = await db.maybe`
    select 1 as found from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user} and not (o.type = 'individual' and m.role = 'owner') limit 1`
  return row !== undefined
}

/** As `belongsElsewhere`, without organisations that only invited the person. */
export async function hasJoinedElsewhere(db: Sql, user: UserId): Promise<boolean> {
  const row = await db.maybe`
    select 1 as found from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user} and m.invited_at is null and not (o.type = 'individual' and m.role = 'owner') limit 1`
  return row !== undefined
}

export async function belongsSomewhere(tx: Tx, user: UserId): Promise<boolean> {
  return (await tx.maybe`select 1 as found from memberships where user_id = ${user} limit 1`) !== undefined
}

export async function countMembers(tx: Tx, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`select count(*)::int as n from memberships where org_id = ${org}`
  return n
}

export async function countOwners(tx: Tx, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from memberships where org_id = ${org} and role = 'owner'`
  return n
}

export async function insertMembership(tx: Tx, org: OrgId, user: UserId, role: OrgRole): Promise<void> {
  await tx.rows`insert into memberships (org_id, user_id, role, created_at) values (${org}, ${user}, ${role}, ${tx.now})`
}

export type MemberTerms = { userId: UserId; role: OrgRole; seatCapMinor: bigint | null }

/** The member is pending until they open the organisation. */
export async function insertInvited(
  tx: Tx,
  org: OrgId,
  { userId, role, seatCapMinor }: MemberTerms,
): Promise<void> {
  await tx.rows`
    insert into memberships (org_id, user_id, role, seat_cap_minor, created_at, invited_at)
    values (${org}, ${userId}, ${role}, ${seatCapMinor}, ${tx.now}, ${tx.now})`
}

/** Opening an organisation accepts the invitation to it. */
export async function acceptInvitation(tx: Tx, user: UserId, org: OrgId): Promise<void> {
  await tx.rows`
    update memberships set invited_at = null where org_id = ${org} and user_id = ${user} and invited_at is not null`
}

/** Ends the memberships that the person never opened. They have no sessions and no keys. */
export function deleteInvited(tx: Tx, user: UserId): Promise<{ orgId: OrgId; role: OrgRole }[]> {
  return tx.rows<{ orgId: OrgId; role: OrgRole }>`
    delete from memberships where user_id = ${user} and invited_at is not null returning org_id as "orgId", role`
}

export async function setMemberRole(tx: Tx, org: OrgId, user: UserId, role: OrgRole): Promise<void> {
  await tx.rows`update memberships set role = ${role} where org_id = ${org} and user_id = ${user}`
}

export async function setSeatCap(
  tx: Tx,
  org: OrgId,
  user: UserId,
  seatCapMinor: bigint | null,
): Promise<void> {
  await tx.rows`
    update memberships set seat_cap_minor = ${seatCapMinor} where org_id = ${org} and user_id = ${user}`
}

export async function deleteMembership(tx: Tx, org: OrgId, user: UserId): Promise<void> {
  await tx.rows`delete from memberships where org_id = ${org} and user_id = ${user}`
}
