// The authenticated caller. Only identity creates actors.
import { ApiError } from '../../kernel/errors.ts'
import { type Id, isId, type KeyId, type OrgId, type ScimTokenId, type UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Language } from '../texts/language.ts'

export const SCOPES = ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'] as const
export const ORG_ROLES = ['owner', 'admin', 'member'] as const
export const STAFF_TIERS = ['support', 'billing', 'compliance', 'operator', 'super_admin'] as const

export type Scope = (typeof SCOPES)[number]
export type OrgRole = (typeof ORG_ROLES)[number]
export type StaffTier = (typeof STAFF_TIERS)[number]

/** The limits of an API key that apply to each request. Its budget is checked where money is held. */
export type KeyLimits = {
  /** Model ids, or patterns that end in `*`; null for every model. */
  readonly models: readonly string[] | null
  /** The rates of the key and of the keys that created it; only keys with a rate. */
  readonly rates: readonly KeyRate[]
}
/** A credential with rates. */
export type LimitedId = KeyId | ScimTokenId
export type KeyRate = {
  readonly keyId: LimitedId
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
}

export type Actor = {
  /** The kind of credential. A session and the development bearer identify a person. */
  readonly via: 'session' | 'key' | 'dev_bearer'
  readonly userId: UserId
  readonly email: string
  /** Of mails to the person; null for English. */
  readonly language: Language | null
  readonly orgId: OrgId
  readonly role: OrgRole
  /** `*` for a person, otherwise the scopes of the key. */
  readonly scopes: readonly string[]
  /** The tier that this call may use. */
  readonly staffRole: StaffTier | null
  /** The tier of the account, even if this credential may not use it. */
  readonly heldStaffRole: StaffTier | null
  readonly sessionId: Id<'ses'> | null
  readonly keyId: KeyId | null
  /** Null for a person, and for a key without such limits. */
  readonly keyLimits: KeyLimits | null
  readonly mfaEnabled: boolean
  /** The organisation whose identity provider vouched for this session. */
  readonly ssoOrgId: OrgId | null
  /** The organisation requires its SSO and this session used another sign-in. Only `session` routes are open to it. */
  readonly needsSso: boolean
  /** The new email address that waits for its confirmation. Null for API keys. */
  readonly pendingEmail: { readonly email: string; readonly expiresAt: Date } | null
  /** The client address of the call. */
  readonly address: string
  /** The IP allow list of the organisation lacks this address. Only personal routes are open to a session. */
  readonly isAddressRefused: boolean
  /** When their session began; null for keys and the development bearer. */
  readonly signedInAt: Date | null
  /** When they last showed a second factor in this session. */
  readonly secondFactorAt: Date | null
  readonly org: {
    readonly name: string
    readonly type: string
    readonly tier: string
    readonly currency: Currency
    readonly suspended: boolean
    readonly kycStatus: string
    /** The lanes its policy allows. */
    readonly allowedLanes: readonly ('open' | 'frontier')[]
    /** The models that its policy and the API key allow: ids, or patterns that end in `*`; null for every model. */
    readonly allowedModels: readonly string[] | null
    /** The plan and status of its subscription; null without one. */
    readonly plan: string | null
    readonly subscriptionStatus: string | null
    /** The region that its code must stay in; null for any. */
    readonly residencyRegion: string | null
  }
}

/** A program with a token of one organisation: its directory service. It has no user and no role. */
export type OrgToken = {
  readonly via: 'scim'
  readonly tokenId: ScimTokenId
  /** The name that the owner gave the token. */
  readonly name: string
  readonly orgId: OrgId
}

export const isPerson = (actor: Actor): boolean => actor.via !== 'key'
export const hasScope = (actor: Actor, scope: Scope): boolean =>
  actor.scopes.includes('*') || actor.scopes.includes(scope)
/** Owners have all rights of admins, and admins those of members. */
export const hasRole = (held: OrgRole, needed: OrgRole): boolean =>
  ORG_ROLES.indexOf(held) <= ORG_ROLES.indexOf(needed)

/** A member of staff whose session lacks the second factor that this deployment requires of staff. */
export const lacksStaffFactor = (actor: Actor): boolean =>
  actor.staffRole === null && actor.heldStaffRole !== null && isPerson(actor) && actor.ssoOrgId === null

/** The refusal of a call that needs staff. */
export const staffRefusal = (actor: Actor): ApiError =>
  new ApiError(lacksStaffFactor(actor) ? 'second_factor_required' : 'staff_only')

/** The organisation whose data a caller reads. Others than staff get the same error whether or not the id exists. */
export function requestedOrg(actor: Actor, orgId: string | undefined): OrgId {
  if (orgId === undefined || orgId === actor.orgId) return actor.orgId
  if (actor.staffRole === null) throw staffRefusal(actor)
  if (!isId('org', orgId)) throw noSuchOrg()
  return orgId
}

export const noSuchOrg = (): ApiError =>
  new ApiError('not_found', { error: 'There is no organisation with this id.' })
