// SQL of registrations, confirmations and passwords.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'

/** Changes nothing once the account is verified. */
export async function renameUnverified(tx: Tx, id: UserId, name: string | null): Promise<void> {
  await tx.rows`update users set name = ${name} where id = ${id} and verified_at is null`
}

/** Replaces the hash of an unchanged password; does nothing if it was changed meanwhile. */
export async function rehashPassword(tx: Tx, id: UserId, from: string, to: string): Promise<void> {
  await tx.rows`update users set password_hash = ${to} where id = ${id} and password_hash = ${from}`
}

/** The organisation that their next sign-in opens. */
export async function setActiveOrg(tx: Tx, id: UserId, org: OrgId): Promise<void> {
  await tx.rows`update users set active_org_id = ${org} where id = ${id}`
}

/** Forgets sessions that ended long ago; says how many. */
export async function sweepSessions(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from sessions where id in
      (select id from sessions where expires_at < ${expiredBefore} limit ${most}) returning id`
  return deleted.length
}
