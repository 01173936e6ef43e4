// SQL of sessions and devices. The query that authenticates a session is in ../sql.ts.
import { domainToASCII } from 'node:url'
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type SignInMethod =
  | 'password'
  | 'magic_link'
  | 'verification'
  | 'passkey'
  | 'oidc'
  | 'saml'
  | 'github'
  | 'invitation'
  | 'dev'

export type NewSession = {
  id: Id<'ses'>
  tokenHash: Uint8Array
  userId: UserId
  orgId: OrgId
  method: SignInMethod
  ssoOrgId: OrgId | null
  device: Uint8Array
  ip: string
  userAgent: string
  expiresAt: Date
  /** Whether the sign-in showed a second factor. */
  hasSecondFactor: boolean
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.rows`
    insert into sessions (id, token_hash, user_id, org_id, method, sso_org_id, device_hash, ip, user_agent,
                          created_at, last_seen_at, expires_at, second_factor_at)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.orgId}, ${session.method},
            ${session.ssoOrgId}, ${session.device}, ${session.ip}, ${session.userAgent},
            ${tx.now}, ${tx.now}, ${session.expiresAt}, ${session.hasSecondFactor ? tx.now : null})`
}

/** Domains are stored in ASCII; email addresses are not. */
const domainOf = (email: string): string => domainToASCII(email.slice(email.lastIndexOf('@') + 1))

/**
 * The organisation a sign-in opens: the preferred one, else the last active one, else the oldest. When `bound`,
 * an organisation that requires single sign-on needs a sign-in by its own provider. So does every address of
 * a verified domain of such an organisation.
 */
export function landingOrg(
  tx: Tx,
  user: { id: UserId; email: string },
  { preferred, ssoOrg, bound }: { preferred: OrgId | null; ssoOrg: OrgId | null; bound: boolean },
) {
  const domain = domainOf(user.email)
  return tx.maybe<{ org_id: OrgId }>`
    select m.org_id from org_members m
    join org_profiles o on o.id = m.org_id
    join users u on u.id = m.user_id
    where m.user_id = ${user.id}
      and (not ${bound} or not o.sso_required or o.id = ${ssoOrg})
      and (not ${bound} or ${ssoOrg}::text is not null or not exists (
            select 1 from sso_domains d join org_profiles p on p.id = d.org_id
            join sso_connections c on c.org_id = p.id and c.enabled
            where d.domain = ${domain} and d.verified_at is not null and p.sso_required))
    order by (o.id = ${preferred}) desc nulls last, (o.id = ${ssoOrg}) desc nulls last,
             (o.id = u.active_org_id) desc nulls last, m.created_at, m.org_id
    limit 1`
}

/**
 * The organisation that a sign-in with GitHub enters instead of its provider: its owner allows that. None for an address of a
 * verified domain whose organisation does not.
 */
export async function githubOrg(tx: Tx, user: { id: UserId; email: string }): Promise<OrgId | undefined> {
  const row = await tx.maybe<{ org_id: OrgId }>`
    select m.org_id from org_members m
    join org_profiles o on o.id = m.org_id
    join users u on u.id = m.user_id
    where m.user_id = ${user.id} and o.sso_required and o.github_sign_in
      and not exists (
        select 1 from sso_domains d join org_profiles p on p.id = d.org_id
        join sso_connections c on c.org_id = p.id and c.enabled
        where d.domain = ${domainOf(user.email)} and d.verified_at is not null and p.sso_required and not p.github_sign_in)
    order by (o.id = u.active_org_id) desc nulls last, m.created_at, m.org_id
    limit 1`
  return row?.org_id
}

/** Whether the domain of an address belongs to an organisation with single sign-on. */
export async function isManagedBySso(db: Sql, email: string): Promise<boolean> {
  const row = await db.maybe`
    select 1 as found from sso_domains d join sso_connections c on c.org_id = d.org_id and c.enabled
    where d.domain = ${domainOf(email)} and d.verified_at is not null limit 1`
  return row !== undefined
}

export async function revokeGithubSessions(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where sso_org_id = ${org} and method = 'github' and revoked_at is null`
}

export async function revokeGithubSessionsOf(tx: Tx, user: UserId, except: string | null): Promise<void> {
  await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where user_id = ${user} and method = 'github' and revoked_at is null and id is distinct from ${except}`
}

export async function revokeSession(tx: Tx, id: string): Promise<void> {
  await tx.rows`update sessions set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`
}

/** Moves the session, and the next sign-in, to another organisation. False when the session has ended. */
export async function moveSession(tx: Tx, session: Id<'ses'>, user: UserId, org: OrgId): Promise<boolean> {
  await tx.rows`update users set active_org_id = ${org} where id = ${user}`
  const rows = await tx.rows`
    update sessions set org_id = ${org} where id = ${session} and revoked_at is null returning id`
  return rows.length === 1
}

export async function recordSecondFactor(tx: Tx, id: string): Promise<void> {
  await tx.rows`update sessions set second_factor_at = ${tx.now} where id = ${id} and revoked_at is null`
}

export async function forgetSecondFactors(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`
    update sessions set second_factor_at = null
    where user_id = ${user} and second_factor_at is not null and revoked_at is null`
}

/** Ends the session that a browser shows, if what it shows still opens it. */
export async function revokeByToken(tx: Tx, id: string, tokenHash: Uint8Array): Promise<void> {
  await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where id = ${id} and token_hash = ${tokenHash} and revoked_at is null`
}

/** Ends all but the `keep` most recently seen sessions. */
export async function revokeOldest(tx: Tx, user: UserId, keep: number): Promise<void> {
  await tx.rows`
    update sessions set revoked_at = ${tx.now} where id in (
      select id from sessions where user_id = ${user} and revoked_at is null and expires_at > ${tx.now}
      order by last_seen_at desc, id desc offset ${keep})`
}

export async function revokeAll(tx: Tx, user: UserId, except: string | null): Promise<void> {
  await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where user_id = ${user} and revoked_at is null and id is distinct from ${except}`
}

export async function revokeAllIn(tx: Tx, user: UserId, org: OrgId): Promise<void> {
  await tx.rows`
    update sessions set revoked_at = ${tx.now} where user_id = ${user} and org_id = ${org} and revoked_at is null`
}

/** False when the session has ended. */
export async function replaceToken(
  tx: Tx,
  id: string,
  shownHash: Uint8Array | null,
  tokenHash: Uint8Array,
  previousUntil: Date,
): Promise<boolean> {
  const rows = await tx.rows`
    update sessions set previous_token_hash = token_hash, previous_until = ${previousUntil}, token_hash = ${tokenHash},
                        second_factor_at = case when token_hash = ${shownHash} then second_factor_at end
    where id = ${id} and revoked_at is null returning id`
  return rows.length === 1
}

/** Whether the session is open. If so, the lock keeps it open until the transaction ends. */
export async function lockOpenSession(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.rows`select id from sessions where id = ${id} and revoked_at is null for share`
  return rows.length === 1
}

/** An open session, with the organisation whose identity provider opened it. */
export function findOpenSession(tx: Tx, id: string): Promise<{ ssoOrgId: OrgId | null } | undefined> {
  return tx.maybe<{ ssoOrgId: OrgId | null }>`
    select sso_org_id as "ssoOrgId" from sessions where id = ${id} and revoked_at is null and expires_at > ${tx.now}`
}

export async function revokeSsoSessions(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`update sessions set revoked_at = ${tx.now} where sso_org_id = ${org} and revoked_at is null`
}

/** Records a browser. `xmax = 0` holds for inserted rows only, so it marks a new browser. */
export async function recordDevice(
  tx: Tx,
  user: UserId,
  device: Uint8Array,
): Promise<{ isNew: boolean; isFirst: boolean }> {
  return tx.one<{ isNew: boolean; isFirst: boolean }>`
    with known as (select count(*) as n from devices where user_id = ${user}),
    met as (
      insert into devices (user_id, hash, first_seen_at, last_seen_at) values (${user}, ${device}, ${tx.now}, ${tx.now})
      on conflict (user_id, hash) do update set last_seen_at = excluded.last_seen_at
      returning (xmax = 0) as is_new)
    select met.is_new as "isNew", known.n = 0 as "isFirst" from met, known`
}

/** Deletes all but the most recently seen browsers. */
export async function pruneDevices(tx: Tx, user: UserId, most: number): Promise<void> {
  await tx.rows`
    delete from devices where user_id = ${user} and hash in (
      select hash from devices where user_id = ${user} order by last_seen_at desc, hash offset ${most})`
}

/** Whether the account has signed in from this browser before. */
export async function isKnownDevice(db: Sql, user: UserId, device: Uint8Array): Promise<boolean> {
  const row = await db.maybe`select 1 as found from devices where user_id = ${user} and hash = ${device}`
  return row !== undefined
}

export async function touchSession(db: Sql, id: string, now: Date, seenBefore: Date): Promise<void> {
  await db.rows`update sessions set last_seen_at = ${now} where id = ${id} and last_seen_at < ${seenBefore}`
}

/** Deletes sessions that ended long ago, and returns their number. */
export async function sweepSessions(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from sessions where id in
      (select id from sessions where expires_at < ${expiredBefore} limit ${most}) returning id`
  return deleted.length
}
