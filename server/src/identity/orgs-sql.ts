// The statements about where a person belongs and what they are called.
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { OrgRole } from '../platform/http/actor.ts'

export type ListedOrg = { orgId: OrgId; name: string; type: string; role: OrgRole; ssoRequired: boolean }

// Nobody reads a longer list; the eldest memberships are in it.
const ORGS_LISTED = 1_000

export function orgsOf(db: Sql, user: UserId, only: OrgId | null): Promise<ListedOrg[]> {
  return db.rows<ListedOrg>`
    select o.id as "orgId", o.name, o.type, m.role, o.sso_required as "ssoRequired"
    from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user} and (${only}::text is null or o.id = ${only})
    order by m.created_at, m.org_id limit ${ORGS_LISTED}`
}

/** The membership cannot end before this transaction does: whoever removes the member finds the session moved. */
export function membershipOf(tx: Tx, user: UserId, org: string) {
  return tx.maybe<{ orgId: OrgId; ssoRequired: boolean }>`
    select m.org_id as "orgId", o.sso_required as "ssoRequired"
    from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${user} and m.org_id = ${org} for share of m`
}

/** False when the session is over. */
export async function moveSession(tx: Tx, session: Id<'ses'>, user: UserId, org: OrgId): Promise<boolean> {
  await tx.rows`update users set active_org_id = ${org} where id = ${user}`
  const rows = await tx.rows`
    update sessions set org_id = ${org} where id = ${session} and revoked_at is null returning id`
  return rows.length === 1
}

export async function renameUser(db: Sql, user: UserId, name: string): Promise<void> {
  await db.rows`update users set name = ${name} where id = ${user}`
}
