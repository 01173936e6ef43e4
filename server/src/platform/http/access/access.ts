// Authorisation: every kind of access is decided here.

import { before } from '../../../kernel/clock.ts'
import { ApiError, type ErrorCode } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { App } from '../../app.ts'
import { secretsEqual } from '../../secrets.ts'
import {
  type Actor,
  hasRole,
  hasScope,
  isPerson,
  lacksStaffFactor,
  type OrgRole,
  type OrgToken,
  staffRefusal,
} from '../actor.ts'
import type { RequestInfo, Route } from '../route.ts'

/** Functions that capabilities provide. The service passes them in, so that platform imports no capability. */
export type Gate = SignInGate & {
  /** The SCIM token of a request. Throws `unauthenticated` for every other credential. */
  authenticateToken(app: App, authorization: string | undefined): Promise<OrgToken>
  /** Whether the caller's organisation may be charged, and otherwise the refusal. */
  chargeability(
    org: Actor['org'],
    rules: { isMaintenance: boolean; isKycRequired: boolean },
  ): { chargeable: true } | { chargeable: false; refusal: ErrorCode }
}

export type SignInGate = {
  /**
   * The caller of a request; null without credentials. Throws `unauthenticated` for invalid credentials, and
   * `address_not_allowed` or `org_address_not_allowed` for an API key that must not be used from the client address.
   */
  authenticate(app: App, credentials: Credentials, address: string): Promise<Actor | null>
  /** The refusal of a caller whose address the IP allow list of the organisation lacks, after it was recorded. */
  refuseAddress(app: App, actor: Actor, org: OrgId): Promise<ApiError>
  /** The caller's role in an organisation; null without membership. */
  roleIn(app: App, actor: Actor, org: OrgId): Promise<OrgRole | null>
}

export type Credentials = { authorization: string | undefined; cookie: string | undefined }
export type Caller = {
  credentials: Credentials
  /** The address of the client. */
  address: string
  internalSecret: string | undefined
  params: Record<string, string>
}

/** How long a second factor counts for calls that need a recent one. */
export const STEP_UP_LIFETIME = { minutes: 10 }

/** Decides whether the caller may make this call, and who they are. Throws the refusal otherwise. */
export async function admit(
  app: App,
  gate: SignInGate,
  { access, stepUp }: Pick<Route, 'access' | 'stepUp'>,
  caller: Caller,
): Promise<Actor | null> {
  if (access === 'none') return null
  if (typeof access === 'object' && ('rail' in access || 'token' in access)) return null
  if (typeof access === 'object' && 'machine' in access)
    return admitMachine(app, gate, access.machine, caller)

  const actor = await gate.authenticate(app, caller.credentials, caller.address)
  if (!actor) throw new ApiError('unauthenticated')
  if (access === 'session') return isPerson(actor) ? actor : refuse('session_required')
  if (access === 'known') return actor
  if (actor.needsSso) return refuse('sso_required')
  if (actor.isAddressRefused) throw await gate.refuseAddress(app, actor, actor.orgId)
  if (access === 'any') return actor
  if ('scope' in access) return hasScope(actor, access.scope) ? actor : refuse('insufficient_scope')
  if ('scopeOrStaff' in access)
    return hasScope(actor, access.scopeOrStaff) || actor.staffRole ? actor : refuse('insufficient_scope')

  // Roles and staff tiers belong to people. An API key never has them, whatever its scopes.
  if (!isPerson(actor)) return refuse('session_required')
  if ('staff' in access) {
    const staff =
      actor.staffRole !== null && (access.staff === 'any' || access.staff.includes(actor.staffRole))
    if (!staff) throw staffRefusal(actor)
    if (stepUp) requireStepUp(app, actor)
    return actor
  }
  if ('roleOrStaff' in access)
    return actor.staffRole || hasRole(actor.role, access.roleOrStaff)
      ? actor
      : refuse(lacksStaffFactor(actor) ? 'second_factor_required' : 'forbidden')
  return admitRole(app, gate, actor, access, caller)
}

/** A session that another person took over does not have the second factor at hand. */
export function requireStepUp(app: App, { secondFactorAt }: Actor): void {
  if (!app.config.staffSecondFactor) return
  if (secondFactorAt === null || secondFactorAt < before(app.clock.now(), STEP_UP_LIFETIME))
    throw new ApiError('step_up_required')
}

async function admitRole(
  app: App,
  gate: SignInGate,
  actor: Actor,
  access: { role: OrgRole; orgParam?: string },
  caller: Caller,
): Promise<Actor> {
  if (access.orgParam === undefined) return hasRole(actor.role, access.role) ? actor : refuse('forbidden')
  const org = caller.params[access.orgParam] as OrgId
  const role = org === actor.orgId ? actor.role : await gate.roleIn(app, actor, org)
  // An organisation is not visible to people outside it.
  if (role === null) return refuse('not_found')
  return hasRole(role, access.role) ? actor : refuse('forbidden')
}

async function admitMachine(
  app: App,
  gate: SignInGate,
  machine: 'internal' | 'metrics',
  caller: Caller,
): Promise<null> {
  if (machine === 'internal') {
    if (app.config.internalSecret === null) return refuse('not_configured')
    if (!secretsEqual(caller.internalSecret ?? '', app.config.internalSecret)) return refuse('wrong_secret')
    return null
  }
  const { metricsToken } = app.config
  if (metricsToken !== null && secretsEqual(caller.credentials.authorization ?? '', `Bearer ${metricsToken}`))
    return null
  const { credentials, address } = caller
  const actor = await gate.authenticate(app, credentials, address).catch(ignoreInvalidCredentials)
  if (actor?.staffRole && isPerson(actor)) return null
  return refuse(metricsToken === null ? 'staff_only' : 'wrong_secret')
}

/** Treats invalid credentials as absent. Other errors, such as an unavailable database, are rethrown. */
function ignoreInvalidCredentials(error: unknown): null {
  if (error instanceof ApiError && error.code === 'unauthenticated') return null
  throw error
}

function refuse(code: ErrorCode): never {
  throw new ApiError(code)
}

/**
 * Rejects unsafe requests that a browser sends for another website. Fetch metadata decides where it is sent. For older
 * browsers `Origin` decides: it must be our public origin or the requested host. Other clients send neither header.
 */
export function requireSameOrigin(headers: RequestInfo['headers'], baseUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new ApiError('cross_origin')
    return
  }
  const { origin, host } = headers
  if (origin === undefined || origin === baseUrl) return
  if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).host !== host)
    throw new ApiError('cross_origin')
}
