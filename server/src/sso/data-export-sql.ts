// An organisation's single sign-on as it is handed over: the public parts. And the end of it.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export function exportConnection(tx: Tx, org: OrgId) {
  return tx.maybe<{ id: string }>`
    select id, type, enabled, issuer, client_id as "clientId", client_secret is not null as "hasClientSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates, created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where org_id = ${org}`
}

// More than an organisation may claim.
const DOMAINS_MAX = 1_000

export function exportDomains(tx: Tx, org: OrgId) {
  return tx.rows<{ domain: string }>`
    select domain, created_at as "createdAt", verified_at as "verifiedAt"
    from sso_domains where org_id = ${org} order by domain limit ${DOMAINS_MAX}`
}

/** Nobody arrives by it any more, and another organisation may show that a domain is its own. */
export async function deleteSso(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from sso_connections where org_id = ${org}`
  await tx.rows`delete from sso_domains where org_id = ${org}`
}
