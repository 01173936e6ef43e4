// The data export of members and API keys. It contains no hashes or other credentials.

import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export const identityData: TenantData<App> = {
  exports: {
    members: byTime(membersAfter, ({ joinedAt, userId }: ExportedMember) => [joinedAt, userId]),
    apiKeys: byTime(keysAfter, ({ createdAt, id }: ExportedKey) => [createdAt, id]),
  },
  tables: ['memberships', 'api_keys'],
  withheld: { sessions: 'sessions belong to the user, not to the organisation' },
}

type ExportedMember = { userId: string; joinedAt: Date }

function membersAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedMember>`
    select m.user_id as "userId", u.email, case when m.invited_at is null then u.name end as name, m.role,
           m.seat_cap_minor as "seatCapMinor", m.invited_at is not null as pending, m.created_at as "joinedAt"
    from org_members m join users u on u.id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${after.at}, ${after.id})
    order by m.created_at, m.user_id limit ${limit}`
}

type ExportedKey = { id: string; createdAt: Date }

function keysAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedKey>`
    select id, user_id as "userId", name, prefix, scopes, created_at as "createdAt", expires_at as "expiresAt",
           last_used_at as "lastUsedAt", revoked_at as "revokedAt", budget_minor as "budgetMinor", budget_period as "budgetPeriod",
           models, requests_per_minute as "requestsPerMinute", tokens_per_minute as "tokensPerMinute",
           allowed_addresses as "allowedAddresses"
    from api_keys where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}
