// SQL for members and contacts.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { OrgRole } from '../platform/http/actor.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type Member = {
  userId: UserId
  email: string
  name: string | null
  role: OrgRole
  seatCapMinor: bigint | null
  pending: boolean
  joinedAt: Date
}

export function memberById(tx: Tx, org: OrgId, user: UserId) {
  return tx.maybe<Member>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} and m.user_id = ${user}`
}

/** Members after a cursor, in the order they joined. */
export function listMembers(db: Sql, org: OrgId, after: TimeCursor, limit: number): Promise<Member[]> {
  return db.rows<Member>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${after.at}, ${after.id})
    order by m.created_at, m.user_id limit ${limit}`
}

export type OrgContact = { orgId: OrgId; orgName: string; userId: UserId; email: string }

/** Verified owners and admins who receive mails about an organisation: owners first, at most `mostEach` per organisation. */
export function listOrgContacts(tx: Tx, orgs: readonly OrgId[], mostEach: number): Promise<OrgContact[]> {
  return tx.rows<OrgContact>`
    select t.org_id as "orgId", t.name as "orgName", t.user_id as "userId", t.email
    from (select m.org_id, o.name, m.user_id, u.email,
                 row_number() over (partition by m.org_id order by m.role <> 'owner', m.created_at, m.user_id) as place
          from org_members m join user_profiles u on u.id = m.user_id join org_profiles o on o.id = m.org_id
          where m.org_id = any(${[...orgs]}::text[]) and m.role in ('owner', 'admin') and u.verified_at is not null) t
    where t.place <= ${mostEach} order by t.org_id, t.place`
}
