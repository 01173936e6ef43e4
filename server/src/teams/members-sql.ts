// Members with their names and addresses.
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

/** Those who joined after a place in the list, the eldest first. */
export function listMembers(db: Sql, org: OrgId, after: TimeCursor, limit: number): Promise<Member[]> {
  return db.rows<Member>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${after.at}, ${after.id})
    order by m.created_at, m.user_id limit ${limit}`
}
