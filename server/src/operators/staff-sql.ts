// Every statement that changes who is platform staff. The gate reads the same table for each request.
import type { UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { StaffTier } from '../platform/http/actor.ts'

export type Member = {
  userId: UserId
  email: string
  /** The tier they hold, by the table or by configuration. */
  role: StaffTier
  /** Named as root administrator in the configuration. */
  isRoot: boolean
}

/** All staff. The root administrator is among them as soon as the account is verified, with a row or without. */
export function allStaff(db: Sql, rootEmail: string | null): Promise<Member[]> {
  return db.rows<Member>`
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

export async function setRole(tx: Tx, user: UserId, role: StaffTier): Promise<void> {
  await tx.rows`update staff set role = ${role} where user_id = ${user}`
}

export async function deleteStaff(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`delete from staff where user_id = ${user}`
}
