// Sessions: open, rotate and end. Every sign-in method opens its session here.
import { hash, randomBytes } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import { after, before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Id, newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import { acceptInvitation } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import type { AccountRef } from '../accounts/accounts.ts'
import type { User } from '../sql.ts'
import { identifyDevice } from './device-cookie.ts'
import {
  clearingCookies,
  openSessionCookie,
  resealedCookies,
  SESSION_COOKIE,
  SESSION_LIFETIME,
  sessionCookies,
} from './session-cookie.ts'
import * as sql from './sessions-sql.ts'

/** A user whose credentials were verified. */
export type VerifiedSignIn = {
  user: User
  method: sql.SignInMethod
  /** The second factor, for the audit event. */
  secondFactor?: 'totp' | 'recovery_code'
  /** The organisation to open. Default: the last active one. */
  orgId?: OrgId
  /** Set by single sign-on: the organisation whose provider authenticated the user. */
  ssoOrgId?: OrgId | undefined
}

/** The outcome of `authenticate` without a session. Its transaction commits all the same. */
export class NotSignedIn<T> {
  readonly outcome: T
  constructor(outcome: T) {
    this.outcome = outcome
  }
}

// One more session ends the least recently seen one.
const SESSIONS_MAX = 100
const DEVICES_MAX = 50
// The old token stays valid for requests that were in flight during the rotation.
const OLD_TOKEN_GRACE = { seconds: 60 }
const RECENT = { minutes: 15 }
const NEW_DEVICE_MAILS: AttemptLimit = { name: 'mail.newDevice', most: 10, withinSeconds: 3_600 }

/**
 * Opens a session for the user that `authenticate` returns, in the same transaction, and sets the cookies after the
 * commit. Ends the session that the browser had before, so that users do not share one.
 */
export async function signIn<T = never>(
  app: App,
  request: RequestInfo,
  authenticate: (tx: Tx) => Promise<VerifiedSignIn | NotSignedIn<T>>,
): Promise<AccountRef | NotSignedIn<T>> {
  const device = identifyDevice(app.config, request)
  const opened = await app.db.tx('platform', async (tx) => {
    const verified = await authenticate(tx)
    return verified instanceof NotSignedIn ? verified : openSession(app, tx, verified, request, device.hash)
  })
  if (opened instanceof NotSignedIn) return opened
  // The session cookie comes first: simple clients keep only the first cookie.
  setCookies(app, request, opened.session)
  if (device.cookie) request.setCookie(device.cookie)
  return opened.account
}

async function openSession(app: App, tx: Tx, verified: VerifiedSignIn, request: RequestInfo, device: Buffer) {
  const { user, method } = verified
  const ssoOrgId = verified.ssoOrgId ?? (method === 'github' ? await sql.githubOrg(tx, user) : undefined)
  const orgId = await landingOrg(tx, { ...verified, ssoOrgId })
  await acceptInvitation(tx, user.id, orgId)
  const brought = openSessionCookie(app.secrets, request.cookie(SESSION_COOKIE) ?? '')
  if (brought) await sql.revokeByToken(tx, brought.id, brought.tokenHash)
  await sql.revokeOldest(tx, user.id, SESSIONS_MAX - 1)
  const session = { id: newId('ses'), token: newToken() }
  await sql.insertSession(tx, {
    id: session.id,
    tokenHash: hashOf(session.token),
    userId: user.id,
    orgId,
    method,
    ssoOrgId: ssoOrgId ?? null,
    device,
    ip: request.address,
    userAgent: request.userAgent,
    expiresAt: after(tx.now, SESSION_LIFETIME),
    // A passkey verifies its user, so that it is both factors.
    hasSecondFactor: verified.secondFactor !== undefined || method === 'passkey',
  })
  const { isNew, isFirst } = await sql.recordDevice(tx, user.id, device)
  if (isNew) await sql.pruneDevices(tx, user.id, DEVICES_MAX)
  if (isNew && !isFirst && method !== 'dev') await notifyNewDevice(app, tx, user, request)
  await record(tx, {
    orgId,
    actor: { kind: 'user', userId: user.id, email: user.email },
    ip: request.address,
    action: 'auth.signIn',
    target: session.id,
    metadata: { method, secondFactor: verified.secondFactor, newDevice: isNew },
  })
  return { account: { userId: user.id, orgId }, session }
}

/** Throws `sso_required` when this sign-in may open none of the user's organisations. */
async function landingOrg(tx: Tx, { user, orgId, ssoOrgId, method }: VerifiedSignIn): Promise<OrgId> {
  const found = await sql.landingOrg(tx, user, {
    preferred: orgId ?? null,
    ssoOrg: ssoOrgId ?? null,
    bound: method !== 'dev',
  })
  if (!found) throw new ApiError('sso_required')
  return found.org_id
}

/**
 * Replaces the token of the session after a change of its privileges. A copy of the old cookie expires after
 * a minute, or at once if another person may have one. For such a copy the session forgets its second factor, so
 * record a new one afterwards. Throws `unauthenticated` when the session has ended meanwhile.
 */
export async function rotateSession(
  app: App,
  tx: Tx,
  actor: Actor,
  request: RequestInfo,
  oldCookie: 'grace' | 'expired' = 'grace',
): Promise<void> {
  const { sessionId } = actor
  if (!sessionId) return
  const token = newToken()
  const until = oldCookie === 'expired' ? tx.now : after(tx.now, OLD_TOKEN_GRACE)
  const shown = openSessionCookie(app.secrets, request.cookie(SESSION_COOKIE) ?? '')
  const isAlive = await sql.replaceToken(tx, sessionId, shown?.tokenHash ?? null, hashOf(token), until)
  // The session ended while this call waited for a lock. The call must not complete.
  if (!isAlive) throw new ApiError('unauthenticated')
  tx.afterCommit(() => setCookies(app, request, { id: sessionId, token }))
}

/** The person showed a second factor in this session. */
export const recordSecondFactor = async (tx: Tx, { sessionId }: Actor): Promise<void> => {
  if (sessionId) await sql.recordSecondFactor(tx, sessionId)
}

/** After a factor was removed: sessions may have shown that one. */
export const forgetSecondFactors = (tx: Tx, userId: UserId): Promise<void> =>
  sql.forgetSecondFactors(tx, userId)

/** Ends every session of an account, except `except`. */
export const endSessions = (tx: Tx, userId: UserId, except: Id<'ses'> | null = null): Promise<void> =>
  sql.revokeAll(tx, userId, except)

/**
 * Guards changes that outlive a session, such as a new sign-in method: a stolen session is not enough, the
 * user must have signed in recently.
 */
export function requireRecentSignIn(app: App, { signedInAt }: Actor): void {
  if (signedInAt !== null && signedInAt < before(app.clock.now(), RECENT))
    throw new ApiError('reauth_required')
}

/**
 * Throws `unauthenticated` unless the caller's session is open. A lock keeps it open until the transaction
 * ends.
 */
export async function requireOpenSession(tx: Tx, { sessionId }: Actor): Promise<void> {
  if (sessionId && !(await sql.lockOpenSession(tx, sessionId))) throw new ApiError('unauthenticated')
}

/** Ends the sessions of GitHub in an organisation that no longer allows them. */
export const endGithubSessions = (tx: Tx, orgId: OrgId): Promise<void> => sql.revokeGithubSessions(tx, orgId)

/** Ends the sessions of an account that GitHub opened, except `except`. */
export const endGithubSessionsOf = (tx: Tx, userId: UserId, except: Id<'ses'> | null): Promise<void> =>
  sql.revokeGithubSessionsOf(tx, userId, except)

/** Ends every session opened through an organisation's identity provider. */
export const endSsoSessions = (tx: Tx, orgId: OrgId): Promise<void> => sql.revokeSsoSessions(tx, orgId)

/** Ends every session of an account in one organisation. */
export const endSessionsIn = (tx: Tx, userId: UserId, orgId: OrgId): Promise<void> =>
  sql.revokeAllIn(tx, userId, orgId)

/** Ends the caller's session on every replica. */
export async function logout(app: App, actor: Actor, request: RequestInfo): Promise<void> {
  const { sessionId } = actor
  if (sessionId) {
    await app.db.tx('platform', async (tx) => {
      await sql.revokeSession(tx, sessionId)
      await record(tx, {
        orgId: actor.orgId,
        actor,
        ip: request.address,
        action: 'auth.logout',
        target: sessionId,
      })
    })
  }
  for (const cookie of clearingCookies(app.config)) request.setCookie(cookie)
  // Replies to signed-in callers are never cached, so the cached assets stay: downloading them again is
  // expensive on a slow network.
  request.setHeader('clear-site-data', '"storage"')
}

function setCookies(app: App, request: RequestInfo, session: { id: string; token: string }): void {
  for (const cookie of sessionCookies(app.config, app.secrets, session)) request.setCookie(cookie)
}

/** Sets the cookie of this session again if it was sealed before a rotation of the service secret. */
export function resealCookie(app: App, request: RequestInfo): void {
  const sealed = request.cookie(SESSION_COOKIE)
  for (const cookie of resealedCookies(app.config, app.secrets, sealed)) request.setCookie(cookie)
}

async function notifyNewDevice(app: App, tx: Tx, user: User, request: RequestInfo): Promise<void> {
  const { allowed } = await countAttempt(app, tx, NEW_DEVICE_MAILS, user.id)
  if (allowed) await app.mail.send(tx, newDeviceMail(app, user.email, request, tx.now))
}

function newDeviceMail(app: App, to: string, request: RequestInfo, at: Date) {
  const name = withoutAutoLinks(request.userAgent)
  return {
    to,
    ...plainMail(
      'New sign-in to your Cowrie account',
      [
        `Your account was signed in to with a browser or program we had not seen before, from the address ${request.address}, at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
        name ? `It calls itself: ${name}.` : 'It gave no name.',
        'If this was you, there is nothing to do. If not, end that session and change your password now.',
      ],
      { label: 'See your sessions', url: `${app.config.baseUrl}/app/sessions` },
    ),
  }
}

const newToken = (): string => randomBytes(32).toString('base64url')
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
