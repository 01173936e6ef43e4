// SQL of login flows and identities.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { json, type Sql, type Tx } from '../../platform/db/tx.ts'
import type { ConnectionId } from '../sql.ts'

export type LoginFlow = {
  /** The state of OpenID Connect or the RelayState of SAML. Stored only as a hash. */
  key: string
  connectionId: ConnectionId
  /** Values to check the reply against. Secrets in it are sealed by the caller. */
  data: Record<string, string>
  /** The path in the app to open after the sign-in. */
  next: string
  createdAt: Date
}

export async function insertFlow(
  tx: Tx,
  flow: LoginFlow,
  { keyHash, browserHash, expiresAt }: { keyHash: Uint8Array; browserHash: Uint8Array; expiresAt: Date },
): Promise<void> {
  await tx.rows`
    insert into sso_flows (key_hash, browser_hash, connection_id, data, next, created_at, expires_at)
    values (${keyHash}, ${browserHash}, ${flow.connectionId}, ${json(flow.data)}, ${flow.next}, ${tx.now}, ${expiresAt})`
}

export function consumeFlow(tx: Tx, keyHash: Uint8Array, browserHash: Uint8Array) {
  return tx.maybe<Omit<LoginFlow, 'key'>>`
    update sso_flows set used_at = ${tx.now}
    where key_hash = ${keyHash} and browser_hash = ${browserHash} and used_at is null and expires_at > ${tx.now}
    returning connection_id as "connectionId", data, next, created_at as "createdAt"`
}

export function findConnectionOfFlow(db: Sql, keyHash: Uint8Array, now: Date) {
  return db.maybe<{ connectionId: ConnectionId }>`
    select connection_id as "connectionId" from sso_flows
    where key_hash = ${keyHash} and used_at is null and expires_at > ${now}`
}

export async function sweepFlows(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from sso_flows where key_hash in (
      select key_hash from sso_flows where expires_at < ${expiredBefore} limit ${most}) returning key_hash`
  return deleted.length
}

export type SsoIdentity = { connectionId: ConnectionId; issuer: string; subject: string }

/** Finds the user of an identity and updates its last use. */
export async function findUserByIdentity(
  tx: Tx,
  { connectionId, issuer, subject }: SsoIdentity,
): Promise<UserId | null> {
  const row = await tx.maybe<{ userId: UserId }>`
    update sso_identities set last_seen_at = ${tx.now}
    where connection_id = ${connectionId} and issuer = ${issuer} and subject = ${subject}
    returning user_id as "userId"`
  return row?.userId ?? null
}

export async function insertIdentity(tx: Tx, identity: SsoIdentity, userId: UserId): Promise<void> {
  await tx.rows`
    insert into sso_identities (connection_id, issuer, subject, user_id, created_at, last_seen_at)
    values (${identity.connectionId}, ${identity.issuer}, ${identity.subject}, ${userId}, ${tx.now}, ${tx.now})`
}

/** Whether the account already has an identity at this issuer. */
export async function hasIdentity(
  tx: Tx,
  { connectionId, issuer }: SsoIdentity,
  userId: UserId,
): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from sso_identities
    where connection_id = ${connectionId} and issuer = ${issuer} and user_id = ${userId}`
  return row !== undefined
}

/** The names of the groups that the directory service of the organisation has put the user in. */
export async function provisionedGroups(tx: Tx, orgId: OrgId, userId: UserId): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>`
    select name from directory_user_groups where org_id = ${orgId} and user_id = ${userId}`
  return rows.map(({ name }) => name)
}

/** Whether the directory service of the organisation knows the user as one who is no longer a member. */
export async function isDeactivated(tx: Tx, orgId: OrgId, userId: UserId): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from directory_users where org_id = ${orgId} and user_id = ${userId} and not active`
  return row !== undefined
}
