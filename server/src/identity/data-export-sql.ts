// SQL for the data export of members and API keys. It exports no hashes or other credentials.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type ExportedMember = { userId: string; joinedAt: Date }

export function membersAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedMember>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from org_members m join users u on u.id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${after.at}, ${after.id})
    order by m.created_at, m.user_id limit ${limit}`
}

export type ExportedKey = { id: string; createdAt: Date }

export function keysAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedKey>`
    select id, user_id as "userId", name, prefix, scopes, created_at as "createdAt", expires_at as "expiresAt",
           last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from api_keys where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}
