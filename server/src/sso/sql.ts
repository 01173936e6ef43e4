// Every statement about connections and domains. Flows and identities have a file of their own.
import type { Id, OrgId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'

export type ConnectionId = Id<'sso'>

export type IdpConnection = {
  id: ConnectionId
  orgId: OrgId
  type: 'oidc' | 'saml'
  enabled: boolean
  /** OpenID Connect: null for SAML. */
  issuer: string | null
  clientId: string | null
  /** Opened: it never leaves the server. Null for a public client. */
  clientSecret: string | null
  /** SAML: null for OpenID Connect. */
  entityId: string | null
  ssoUrl: string | null
  /** PEM, each of them good; none for OpenID Connect. */
  certificates: string[]
  createdAt: Date
  updatedAt: Date
}

export type ConnectionRow = Omit<IdpConnection, 'clientSecret'> & { sealedSecret: string | null }

export function findConnectionByOrg(db: Sql, orgId: OrgId) {
  return db.maybe<ConnectionRow>`
    select id, org_id as "orgId", type, enabled, issuer, client_id as "clientId", client_secret as "sealedSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates,
           created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where org_id = ${orgId}`
}

export function findConnectionById(db: Sql, id: ConnectionId) {
  return db.maybe<ConnectionRow>`
    select id, org_id as "orgId", type, enabled, issuer, client_id as "clientId", client_secret as "sealedSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates,
           created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where id = ${id}`
}

export function findConnectionByDomain(db: Sql, domain: string) {
  return db.maybe<ConnectionRow>`
    select c.id, c.org_id as "orgId", c.type, c.enabled, c.issuer, c.client_id as "clientId",
           c.client_secret as "sealedSecret", c.entity_id as "entityId", c.sso_url as "ssoUrl", c.certificates,
           c.created_at as "createdAt", c.updated_at as "updatedAt"
    from sso_domains d join sso_connections c on c.org_id = d.org_id
    where d.domain = ${domain} and d.verified_at is not null`
}

export type SsoStatus = {
  /** It has a connection that is switched on. */
  isConnected: boolean
  /** It has shown some domain to be its own, so that a provider is believed about anybody. */
  hasDomain: boolean
}

/** Whether people of an organisation can come in by its provider. */
export function getSsoStatus(db: Sql, orgId: OrgId) {
  return db.one<SsoStatus>`
    select exists (select from sso_connections where org_id = ${orgId} and enabled) as "isConnected",
           exists (select from sso_domains where org_id = ${orgId} and verified_at is not null) as "hasDomain"`
}

/** False when the organisation has one already. */
export async function insertConnection(tx: Tx, row: ConnectionRow): Promise<boolean> {
  const made = await tx.rows`
    insert into sso_connections (id, org_id, type, enabled, issuer, client_id, client_secret, entity_id, sso_url,
                                 certificates, created_at, updated_at)
    values (${row.id}, ${row.orgId}, ${row.type}, ${row.enabled}, ${row.issuer}, ${row.clientId}, ${row.sealedSecret},
            ${row.entityId}, ${row.ssoUrl}, ${row.certificates}, ${tx.now}, ${tx.now})
    on conflict (org_id) do nothing returning id`
  return made.length === 1
}

/** As `connectionOfOrg`, and nobody else changes it until the transaction ends. */
export function lockConnection(tx: Tx, orgId: OrgId) {
  return tx.maybe<ConnectionRow>`
    select id, org_id as "orgId", type, enabled, issuer, client_id as "clientId", client_secret as "sealedSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates,
           created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where org_id = ${orgId} for no key update`
}

/**
 * Whether the connection is in use and still as it was read; if so, it stays that way until the transaction ends. What
 * was proven through an earlier one is worth nothing.
 */
export async function lockUnchangedConnection(
  tx: Tx,
  { id, updatedAt }: Pick<IdpConnection, 'id' | 'updatedAt'>,
): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from sso_connections where id = ${id} and enabled and updated_at = ${updatedAt} for share`
  return row !== undefined
}

export async function updateConnection(tx: Tx, row: ConnectionRow): Promise<void> {
  await tx.rows`
    update sso_connections set enabled = ${row.enabled}, issuer = ${row.issuer}, client_id = ${row.clientId},
      client_secret = ${row.sealedSecret}, entity_id = ${row.entityId}, sso_url = ${row.ssoUrl},
      certificates = ${row.certificates}, updated_at = ${tx.now}
    where id = ${row.id}`
}

/** The id of what was deleted. What it knew about people goes with it. */
export function deleteConnection(tx: Tx, orgId: OrgId) {
  return tx.maybe<{ id: ConnectionId }>`delete from sso_connections where org_id = ${orgId} returning id`
}

export type DomainRow = { domain: string; token: string; createdAt: Date; verifiedAt: Date | null }

export function listDomains(db: Sql, orgId: OrgId) {
  return db.rows<DomainRow>`
    select domain, token, created_at as "createdAt", verified_at as "verifiedAt"
    from sso_domains where org_id = ${orgId} order by domain`
}

export function findDomain(db: Sql, orgId: OrgId, domain: string) {
  return db.maybe<DomainRow>`
    select domain, token, created_at as "createdAt", verified_at as "verifiedAt"
    from sso_domains where org_id = ${orgId} and domain = ${domain}`
}

/** Whether an organisation has shown a domain to be its own; if so, it keeps it until the transaction ends. */
export async function lockVerifiedDomain(tx: Tx, orgId: OrgId, domain: string): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from sso_domains
    where org_id = ${orgId} and domain = ${domain} and verified_at is not null for share`
  return row !== undefined
}

/** Whether another organisation has shown it to be theirs. */
export async function isTaken(db: Sql, orgId: OrgId, domain: string): Promise<boolean> {
  const row = await db.maybe`
    select 1 as found from sso_domains where domain = ${domain} and org_id <> ${orgId} and verified_at is not null`
  return row !== undefined
}

export async function insertDomain(tx: Tx, orgId: OrgId, domain: string, token: string): Promise<void> {
  await tx.rows`
    insert into sso_domains (org_id, domain, token, created_at) values (${orgId}, ${domain}, ${token}, ${tx.now})`
}

/** False when it was verified or given up meanwhile. */
export async function verifyDomain(tx: Tx, orgId: OrgId, domain: string, token: string): Promise<boolean> {
  const made = await tx.rows`
    update sso_domains set verified_at = ${tx.now}
    where org_id = ${orgId} and domain = ${domain} and token = ${token} and verified_at is null returning domain`
  return made.length === 1
}

export async function deleteDomain(tx: Tx, orgId: OrgId, domain: string): Promise<boolean> {
  const gone =
    await tx.rows`delete from sso_domains where org_id = ${orgId} and domain = ${domain} returning domain`
  return gone.length === 1
}

/** The connection for the data export, without its secret. */
export function exportConnection(tx: Tx, org: OrgId) {
  return tx.maybe<{ id: string }>`
    select id, type, enabled, issuer, client_id as "clientId", client_secret is not null as "hasClientSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates, created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where org_id = ${org}`
}

// More than an organisation may claim.
const EXPORTED_DOMAINS_MAX = 1_000

export function exportDomains(tx: Tx, org: OrgId) {
  return tx.rows<{ domain: string }>`
    select domain, created_at as "createdAt", verified_at as "verifiedAt"
    from sso_domains where org_id = ${org} order by domain limit ${EXPORTED_DOMAINS_MAX}`
}

/** Nobody arrives by it any more, and another organisation may show that a domain is its own. */
export async function deleteSso(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from sso_connections where org_id = ${org}`
  await tx.rows`delete from sso_domains where org_id = ${org}`
}
