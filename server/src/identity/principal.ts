// Authenticates requests with one query each. It caches nothing, so that a revoked session or key is refused
// on every replica at once.
import { timingSafeEqual } from 'node:crypto'
import { before } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { isId, type OrgId } from '../kernel/ids.ts'
import { findMembership } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type BatchLoader, createBatchLoader } from '../platform/db/batch-loader.ts'
import type { Db } from '../platform/db/tx.ts'
import type { Credentials, SignInGate } from '../platform/http/access/access.ts'
import type { Actor, OrgRole } from '../platform/http/actor.ts'
import { cookieOf } from '../platform/http/request/request-info.ts'
import { isInAllowList, refuseAddress } from './allowed-addresses.ts'
import { parseKey } from './keys/key-format.ts'
import { allowedModels, limitsInForce, requireAllowedAddress } from './keys/key-limits.ts'
import { openSessionCookie, SESSION_COOKIE, SESSION_IDLE } from './sessions/session-cookie.ts'
import { touchSession } from './sessions/sessions-sql.ts'
import * as sql from './sql.ts'

const TOUCH_SECONDS = 300

export const gate: SignInGate = {
  authenticate: (app, credentials, address) => authenticate(app, credentials, address),
  refuseAddress,
  roleIn: (app, actor, org) => roleIn(app, actor, org),
}

/**
 * The caller's role in an organisation other than the active one. Throws `sso_required` if that one requires
 * single sign-on, and `org_address_not_allowed` if its IP allow list lacks the address.
 */
async function roleIn(app: App, actor: Actor, org: OrgId): Promise<OrgRole | null> {
  const found = isId('org', org) ? await findMembership(app.db.direct, org, actor.userId) : undefined
  if (!found) return null
  if (found.ssoRequired && actor.via === 'session' && actor.ssoOrgId !== org)
    throw new ApiError('sso_required')
  if (!isInAllowList(actor.address, found.ipAllowList)) throw await refuseAddress(app, actor, org)
  return found.role
}

async function authenticate(
  app: App,
  { authorization, cookie }: Credentials,
  address: string,
): Promise<Actor | null> {
  // The header wins over the cookie: it comes from a script in a browser that also has a session.
  if (authorization !== undefined) return authenticateBearer(app, authorization, address)
  const sealed = cookieOf(cookie, SESSION_COOKIE)
  return sealed === undefined ? null : authenticateSession(app, sealed, address)
}

async function authenticateBearer(app: App, authorization: string, address: string): Promise<Actor> {
  const token = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorization)?.[1] ?? ''
  if (app.config.devAuth && isId('usr', token)) {
    const person = await sql.personById(app.db.direct, token, app.clock.now())
    if (person) {
      const caller = toActor(app, person, address)
      const staffRole = app.config.staffSecondFactor ? null : caller.staffRole
      return { ...caller, staffRole, via: 'dev_bearer', scopes: ['*'], pendingEmail: pendingEmailOf(person) }
    }
  }
  const hash = parseKey(token)
  const now = app.clock.now()
  const key = hash ? await findersOf(app).key(hash) : undefined
  if (!key) throw new ApiError('unauthenticated')
  const { key_id: keyId, scopes } = key
  const keyLimits = limitsInForce(key)
  const caller = toActor(app, key, address)
  const org = { ...caller.org, allowedModels: allowedModels(caller.org, keyLimits) }
  const actor: Actor = { ...caller, org, via: 'key', keyId, keyLimits, scopes, staffRole: null }
  if (key.allowed_addresses !== null || key.inherited !== null)
    await requireAllowedAddress(app, key, actor, address)
  if (actor.isAddressRefused) throw await refuseAddress(app, actor, actor.orgId)
  if (!key.last_used_at || key.last_used_at < before(now, { seconds: 60 }))
    inBackground(app, sql.touchKey(app.db.direct, keyId, now))
  return actor
}

type Finders = {
  readonly key: BatchLoader<Uint8Array, sql.KeyRow>
  readonly session: BatchLoader<string, sql.SessionRow>
}
// One per database: many clients call at the same time, and one statement finds the callers of many requests.
const finders = new WeakMap<Db, Finders>()

function findersOf(app: App): Finders {
  const known = finders.get(app.db)
  if (known) return known
  const created: Finders = {
    key: createBatchLoader(async (hashes) => {
      const rows = await sql.keysByHash(app.db.direct, hashes, app.clock.now())
      const found = new Map(rows.map((row) => [toMapKey(row.hash), row]))
      return hashes.map((each) => found.get(toMapKey(each)))
    }),
    session: createBatchLoader(async (ids) => {
      const now = app.clock.now()
      const rows = await sql.sessionsById(app.db.direct, ids, now, before(now, SESSION_IDLE))
      const found = new Map<string, sql.SessionRow>(rows.map((row) => [row.session_id, row]))
      return ids.map((each) => found.get(each))
    }),
  }
  finders.set(app.db, created)
  return created
}

const toMapKey = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1')

async function authenticateSession(app: App, sealed: string, address: string): Promise<Actor | null> {
  const presented = openSessionCookie(app.secrets, sealed)
  if (!presented) return null
  const session = await findersOf(app).session(presented.id)
  const now = app.clock.now()
  const shown = session && shownToken(session, presented.tokenHash, now)
  if (!shown) return null
  const seenBefore = before(now, { seconds: TOUCH_SECONDS })
  if (session.last_seen_at < seenBefore)
    inBackground(app, touchSession(app.db.direct, session.session_id, now, seenBefore))
  const { sso_org_id: ssoOrgId, session_id: sessionId, second_factor_at: secondFactorAt } = session
  const needsSso = session.sso_required && ssoOrgId !== session.org_id
  const actor = toActor(app, session, address)
  // An organisation's identity provider must not be able to grant staff access.
  const mayBeStaff = ssoOrgId === null && (secondFactorAt !== null || !app.config.staffSecondFactor)
  return {
    ...actor,
    staffRole: mayBeStaff ? actor.staffRole : null,
    via: 'session',
    sessionId,
    scopes: ['*'],
    ssoOrgId,
    needsSso,
    pendingEmail: pendingEmailOf(session),
    signedInAt: session.created_at,
    // A step-up rotates the cookie: a copy of the one before confirms nothing.
    secondFactorAt: shown === 'current' ? secondFactorAt : null,
  }
}

const pendingEmailOf = ({ pending_email: email, pending_email_until: expiresAt }: sql.PersonRow) =>
  email !== null && expiresAt !== null ? { email, expiresAt } : null

function shownToken(
  session: sql.SessionRow,
  presented: Uint8Array,
  now: Date,
): 'current' | 'previous' | null {
  const { token_hash, previous_token_hash: previous, previous_until: until } = session
  if (timingSafeEqual(presented, token_hash)) return 'current'
  const isPrevious =
    previous !== null && until !== null && until > now && timingSafeEqual(presented, previous)
  return isPrevious ? 'previous' : null
}

/** Updates "last seen" without delaying or failing the request. */
function inBackground(app: App, work: Promise<void>): void {
  work.catch((error) => app.log.warn({ err: error }, 'identity.last_seen.record_failed'))
}

function toActor(app: App, row: sql.PrincipalRow, address: string): Omit<Actor, 'via' | 'scopes'> {
  const isRoot = row.verified && row.email === app.config.rootAdminEmail
  const staffRole = isRoot ? 'super_admin' : row.staff_role
  return {
    userId: row.user_id,
    email: row.email,
    language: row.language,
    orgId: row.org_id,
    role: row.role,
    staffRole,
    heldStaffRole: staffRole,
    sessionId: null,
    keyId: null,
    keyLimits: null,
    ssoOrgId: null,
    needsSso: false,
    pendingEmail: null,
    address,
    isAddressRefused: !isInAllowList(address, row.ip_allow_list),
    signedInAt: null,
    secondFactorAt: null,
    mfaEnabled: row.mfa_enabled,
    org: {
      name: row.org_name,
      type: row.org_type,
      tier: row.org_tier,
      currency: row.currency,
      suspended: row.suspended,
      kycStatus: row.kyc_status,
      allowedLanes: row.allowed_lanes,
      allowedModels: row.allowed_models,
      plan: row.plan_code,
      subscriptionStatus: row.subscription_status,
      residencyRegion: row.residency_region,
    },
  }
}
