// The data export of provisioning. It contains no hashes of tokens.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byText, byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export const scimData: TenantData<App> = {
  exports: {
    scimTokens: byTime(tokensAfter, ({ createdAt, id }: ExportedToken) => [createdAt, id]),
    scimUsers: byText(usersAfter, ({ userId }: ExportedUser) => userId),
    scimGroups: byText(groupsAfter, ({ id }: ExportedGroup) => id),
  },
  tables: ['scim_tokens', 'scim_users', 'scim_groups', 'scim_group_members'],
  async close(_app, tx, { orgId }) {
    await tx.rows`delete from scim_tokens where org_id = ${orgId}`
    await tx.rows`delete from scim_groups where org_id = ${orgId}`
    await tx.rows`delete from scim_users where org_id = ${orgId}`
  },
}

type ExportedToken = { id: string; createdAt: Date }

function tokensAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedToken>`
    select id, name, prefix, created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt"
    from scim_tokens where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

type ExportedUser = { userId: string }

function usersAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<ExportedUser>`
    select user_id as "userId", email, user_name as "userName", external_id as "externalId", display_name as "displayName",
           given_name as "givenName", family_name as "familyName", formatted_name as "formattedName",
           created_at as "createdAt", updated_at as "updatedAt"
    from scim_users where org_id = ${org} and user_id > ${after} order by user_id limit ${limit}`
}

type ExportedGroup = { id: string }

function groupsAfter(tx: Tx, org: OrgId, after: string, limit: number) {
  return tx.rows<ExportedGroup>`
    select g.id, g.display_name as "displayName", g.external_id as "externalId", g.created_at as "createdAt",
           g.updated_at as "updatedAt",
           coalesce((select jsonb_agg(m.user_id order by m.user_id) from scim_group_members m where m.group_id = g.id), '[]') as members
    from scim_groups g where g.org_id = ${org} and g.id > ${after} order by g.id limit ${limit}`
}
