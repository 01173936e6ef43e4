// Every statement about teams and who is in them. Organisations and memberships themselves are identity's tables.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { OrgRole } from '../platform/http/actor.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type Org = {
  id: OrgId
  name: string
  type: 'individual' | 'team'
  currency: Currency
  seatAllotment: number
}

export type Member = {
  userId: UserId
  email: string
  name: string | null
  role: OrgRole
  seatCapMinor: bigint | null
  pending: boolean
  joinedAt: Date
}

/** The organisation, and nobody else changes it or who is in it until the transaction ends. */
export function lockOrg(tx: Tx, id: OrgId) {
  return tx.maybe<Org>`
    select id, name, type, currency, seat_allotment as "seatAllotment" from orgs where id = ${id} for no key update`
}

export async function renameOrg(tx: Tx, id: OrgId, name: string): Promise<void> {
  await tx.rows`update orgs set name = ${name} where id = ${id}`
}

export async function countOpenedTeams(tx: Tx, user: UserId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from orgs where created_by = ${user} and type = 'team' and closed_at is null`
  return n
}

export function memberById(tx: Tx, org: OrgId, user: UserId) {
  return tx.maybe<Member>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from memberships m join users u on u.id = m.user_id
    where m.org_id = ${org} and m.user_id = ${user}`
}

/** Those who joined after a place in the list, the eldest first. */
export function listMembers(db: Sql, org: OrgId, after: TimeCursor, limit: number): Promise<Member[]> {
  return db.rows<Member>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from memberships m join users u on u.id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${after.at}, ${after.id})
    order by m.created_at, m.user_id limit ${limit}`
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

/** The member is pending until they open the organisation. */
export async function insertInvited(
  tx: Tx,
  org: OrgId,
  { userId, role, seatCapMinor }: Pick<Member, 'userId' | 'role' | 'seatCapMinor'>,
): Promise<void> {
  await tx.rows`
    insert into memberships (org_id, user_id, role, seat_cap_minor, created_at, invited_at)
    values (${org}, ${userId}, ${role}, ${seatCapMinor}, ${tx.now}, ${tx.now})`
}

export async function updateMember(
  tx: Tx,
  org: OrgId,
  { userId, role, seatCapMinor }: Pick<Member, 'userId' | 'role' | 'seatCapMinor'>,
): Promise<void> {
  await tx.rows`
    update memberships set role = ${role}, seat_cap_minor = ${seatCapMinor} where org_id = ${org} and user_id = ${userId}`
}

export async function deleteMember(tx: Tx, org: OrgId, user: UserId): Promise<void> {
  await tx.rows`delete from memberships where org_id = ${org} and user_id = ${user}`
}

export async function belongsSomewhere(tx: Tx, user: UserId): Promise<boolean> {
  const found = await tx.maybe`select 1 as found from memberships where user_id = ${user} limit 1`
  return found !== undefined
}

export async function isMember(tx: Tx, org: OrgId, user: UserId): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from memberships where org_id = ${org} and user_id = ${user}`
  return found !== undefined
}
