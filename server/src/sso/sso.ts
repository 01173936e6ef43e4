// Public API of single sign-on.
import type { OrgId } from '../kernel/ids.ts'
import type { Sql } from '../platform/db/tx.ts'

export { domainOfEmail } from './domain-names.ts'
export { roleByGroups } from './group-roles.ts'
export { lockVerifiedDomain } from './sql.ts'

export type SsoStatus = {
  /** It has an enabled connection. */
  isConnected: boolean
  /** It has a verified domain; a provider is trusted only for verified domains. */
  hasDomain: boolean
}

/** Whether members can sign in through the organisation's provider. */
export function getSsoStatus(db: Sql, orgId: OrgId) {
  return db.one<SsoStatus>`
    select exists (select from sso_connections where org_id = ${orgId} and enabled) as "isConnected",
           exists (select from sso_domains where org_id = ${orgId} and verified_at is not null) as "hasDomain"`
}

/** In the order of the alphabet. */
export async function verifiedDomains(db: Sql, orgId: OrgId): Promise<string[]> {
  const rows = await db.rows<{ domain: string }>`
    select domain from sso_domains where org_id = ${orgId} and verified_at is not null order by domain`
  return rows.map(({ domain }) => domain)
}
