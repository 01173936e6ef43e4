// Every statement about platform staff, except the one that authenticates a request.
import type { UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { StaffTier } from '../../platform/http/actor.ts'

export type StaffMember = {
  userId: UserId
  email: string
  /** The tier they hold, by the table or by configuration. */
  role: StaffTier
  /** Named as root administrator in the configuration. */
  isRoot: boolean
}

/** All staff. The root administrator is among them as soon as the account is verified, with a row or without. */
export function allStaff(db: Sql, rootEmail: string | null): Promise<StaffMember[]> {
  return db.rows<StaffMember>`
    select u.id as "userId", u.email, coalesce(u.email = ${rootEmail}, false) as "isRoot",
           case when u.email = ${rootEmail} and u.verified_at is not null then 'super_admin' else f.role end as role
    from users u left join staff f on f.user_id = u.id
    where u.id in (
      select user_id from staff
      union select id from users where email = ${rootEmail} and verified_at is not null)
    order by f.created_at nulls first, u.id`
}

export async function insertStaff(tx: Tx, user: UserId, role: StaffTier): Promise<void> {
  await tx.rows`insert into staff (user_id, role, created_at) values (${user}, ${role}, ${tx.now})`
}

export async function setStaffRole(tx: Tx, user: UserId, role: StaffTier): Promise<void> {
  await tx.rows`update staff set role = ${role} where user_id = ${user}`
}

export async function deleteStaff(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`delete from staff where user_id = ${user}`
}

/** Addresses of staff with one of these roles, in the order they became staff. */
export async function staffEmails(tx: Tx, roles: readonly StaffTier[], limit: number): Promise<string[]> {
  const rows = await tx.rows<{ email: string }>`
    select u.email from staff s join users u on u.id = s.user_id
    where s.role = any(${roles}::text[]) order by s.created_at, s.user_id limit ${limit}`
  return rows.map(({ email }) => email)
}
