// Statements about accounts on their way from a registration to a confirmed address, and about their passwords.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'

export type Renewal = { name: string | null; orgName: string; currency: Currency }

/** Only while nobody has confirmed the account. False when it has no organisation of its own. */
export async function renewAccount(
  tx: Tx,
  id: UserId,
  { name, orgName, currency }: Renewal,
): Promise<boolean> {
  await tx.rows`update users set name = ${name} where id = ${id} and verified_at is null`
  const renewed = await tx.rows`
    update orgs o set name = left(${orgName}, 200), currency = ${currency} from memberships m, users u
    where m.org_id = o.id and m.user_id = ${id} and m.role = 'owner' and o.type = 'individual'
      and u.id = m.user_id and u.verified_at is null
    returning o.id`
  return renewed.length > 0
}

/** Keeps the same password in another form; not when it has been changed meanwhile. */
export async function rehashPassword(tx: Tx, id: UserId, from: string, to: string): Promise<void> {
  await tx.rows`update users set password_hash = ${to} where id = ${id} and password_hash = ${from}`
}

/**
 * Where the record of what concerns the person alone is kept: their own organisation, and only for who has none the one
 * they joined first. A team that has invited somebody does not read what they do elsewhere.
 */
export async function homeOrg(db: Sql, id: UserId): Promise<OrgId | null> {
  const row = await db.maybe<{ org_id: OrgId }>`
    select m.org_id from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${id}
    order by (o.type = 'individual' and m.role = 'owner') desc, m.created_at, m.org_id limit 1`
  return row?.org_id ?? null
}

/** The organisation of their own; null for who has none. */
export async function personalOrg(db: Sql, id: UserId): Promise<OrgId | null> {
  const row = await db.maybe<{ org_id: OrgId }>`
    select m.org_id from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${id} and o.type = 'individual' and m.role = 'owner'
    order by m.created_at, m.org_id limit 1`
  return row?.org_id ?? null
}

/** The organisation that their next sign-in opens. */
export async function setActiveOrg(tx: Tx, id: UserId, org: OrgId): Promise<void> {
  await tx.rows`update users set active_org_id = ${org} where id = ${id}`
}

/** Whether somebody has brought them into an organisation besides their own. */
export async function belongsElsewhere(db: Sql, id: UserId): Promise<boolean> {
  const row = await db.maybe`
    select 1 as found from memberships m join orgs o on o.id = m.org_id
    where m.user_id = ${id} and not (o.type = 'individual' and m.role = 'owner') limit 1`
  return row !== undefined
}

/** Forgets sessions that ended long ago; says how many. */
export async function sweepSessions(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const gone = await db.rows`
    delete from sessions where id in
      (select id from sessions where expires_at < ${expiredBefore} limit ${most}) returning id`
  return gone.length
}
