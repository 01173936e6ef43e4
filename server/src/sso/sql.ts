// SQL of connections and domains. Flows and identities are in login/flows-sql.ts.
import type { Id, OrgId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { PageOfTexts, SealedText } from '../platform/sealed-data.ts'

export type ConnectionId = Id<'sso'>

export type IdpConnection = {
  id: ConnectionId
  orgId: OrgId
  type: 'oidc' | 'saml'
  enabled: boolean
  /** OpenID Connect only; null for SAML. */
  issuer: string | null
  clientId: string | null
  /** Decrypted; it never leaves the server. Null for a public client. */
  clientSecret: string | null
  /** SAML only; null for OpenID Connect. */
  entityId: string | null
  ssoUrl: string | null
  /** PEM. Any of them may sign. Empty for OpenID Connect. */
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

/** False when the organisation already has one. */
export async function insertConnection(tx: Tx, row: ConnectionRow): Promise<boolean> {
  const changed = await tx.rows`
    insert into sso_connections (id, org_id, type, enabled, issuer, client_id, client_secret, entity_id, sso_url,
                                 certificates, created_at, updated_at)
    values (${row.id}, ${row.orgId}, ${row.type}, ${row.enabled}, ${row.issuer}, ${row.clientId}, ${row.sealedSecret},
            ${row.entityId}, ${row.ssoUrl}, ${row.certificates}, ${tx.now}, ${tx.now})
    on conflict (org_id) do nothing returning id`
  return changed.length === 1
}

/** As `findConnectionByOrg`, with a lock until the transaction ends. */
export function lockConnection(tx: Tx, orgId: OrgId) {
  return tx.maybe<ConnectionRow>`
    select id, org_id as "orgId", type, enabled, issuer, client_id as "clientId", client_secret as "sealedSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates,
           created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where org_id = ${orgId} for no key update`
}

/**
 * Whether the connection is enabled and unchanged since it was read. If so, a lock keeps it until the
 * transaction ends: claims verified by an older version are not valid.
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

/** Deletes the connection with its identities and returns its id. */
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

/** Whether the organisation has verified a domain. If so, a lock keeps it until the transaction ends. */
export async function lockVerifiedDomain(tx: Tx, orgId: OrgId, domain: string): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from sso_domains
    where org_id = ${orgId} and domain = ${domain} and verified_at is not null for share`
  return row !== undefined
}

/** Whether another organisation has verified the domain. */
export async function isTaken(db: Sql, orgId: OrgId, domain: string): Promise<boolean> {
  const row = await db.maybe`
    select 1 as found from sso_domains where domain = ${domain} and org_id <> ${orgId} and verified_at is not null`
  return row !== undefined
}

export async function insertDomain(tx: Tx, orgId: OrgId, domain: string, token: string): Promise<void> {
  await tx.rows`
    insert into sso_domains (org_id, domain, token, created_at) values (${orgId}, ${domain}, ${token}, ${tx.now})`
}

/** False when it was verified or removed meanwhile. */
export async function verifyDomain(tx: Tx, orgId: OrgId, domain: string, token: string): Promise<boolean> {
  const changed = await tx.rows`
    update sso_domains set verified_at = ${tx.now}
    where org_id = ${orgId} and domain = ${domain} and token = ${token} and verified_at is null returning domain`
  return changed.length === 1
}

export async function deleteDomain(tx: Tx, orgId: OrgId, domain: string): Promise<boolean> {
  const deleted =
    await tx.rows`delete from sso_domains where org_id = ${orgId} and domain = ${domain} returning domain`
  return deleted.length === 1
}

/** The connection for the data export, without its secret. */
export function exportConnection(tx: Tx, org: OrgId) {
  return tx.maybe<{ id: string }>`
    select id, type, enabled, issuer, client_id as "clientId", client_secret is not null as "hasClientSecret",
           entity_id as "entityId", sso_url as "ssoUrl", certificates, created_at as "createdAt", updated_at as "updatedAt"
    from sso_connections where org_id = ${org}`
}

// Higher than the limit of claims per organisation.
const EXPORTED_DOMAINS_MAX = 1_000

export function exportDomains(tx: Tx, org: OrgId) {
  return tx.rows<{ domain: string }>`
    select domain, created_at as "createdAt", verified_at as "verifiedAt"
    from sso_domains where org_id = ${org} order by domain limit ${EXPORTED_DOMAINS_MAX}`
}

/** Deletes the connection and the domains, which frees the domains for other organisations. */
export async function deleteSso(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from sso_connections where org_id = ${org}`
  await tx.rows`delete from sso_domains where org_id = ${org}`
}

/** Client secrets that another service secret has sealed. Needs the platform scope. */
export const listClientSecrets = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, client_secret as sealed from sso_connections
    where id > ${after} and not starts_with(client_secret, ${keyId}) order by id limit ${limit}`

export const replaceClientSecrets = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update sso_connections set client_secret = ${sealed} where id = ${was.id} and client_secret = ${was.sealed}`
