// Who leaves an organisation when it is closed.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type DepartingMember = { userId: UserId; email: string; name: string | null; pending: boolean }

/** In one order for all who lock many people. */
export function listDeparting(tx: Tx, org: OrgId, most: number) {
  return tx.rows<DepartingMember>`
    select m.user_id as "userId", u.email, u.name, u.verified_at is null as pending
    from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} order by m.user_id limit ${most}`
}
