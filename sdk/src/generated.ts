// Printed from openapi.json by `npm run print`; do not edit.
import type { CallOptions, Operation } from './operation.ts'

export const API_VERSION = 2

export type BuildVersion = {
  version: string
  apiVersion: number
  commit: string
  builtAt: string | null
  environment: string
}

export type Currency = {
  code: 'NGN' | 'KES' | 'GHS' | 'ZAR' | 'EGP' | 'UGX' | 'XOF'
  symbol: string
  minorUnit: number
  minorName: string
}

export type Me = {
  userId: string
  orgId: string
  email: string
  role: 'owner' | 'admin' | 'member'
  scopes: string[]
  isPlatformAdmin: boolean
  isSuperAdmin: boolean
  staffRole: 'support' | 'billing' | 'compliance' | 'operator' | 'super_admin' | null
  currency: Currency
  balanceMinor: bigint
  heldMinor: bigint
  availableMinor: bigint
  mfaEnabled: boolean
  plan: string | null
  subscriptionStatus: string | null
  includedRemainingMinor: bigint
  orgName: string
  orgType: string
  orgSuspended: boolean
  kycStatus: string
}

export type SystemHealthReply = {
  ok: boolean
}

export type SystemReadyReply = {
  ready: true
}

export type SystemVersionReply = BuildVersion

export type SystemOpenapiReply = unknown

export type AuditListQuery = {
  /** Every organisation; platform staff only. */
  scope?: 'all' | undefined
  /** An action such as settings.set, or the first words of several, such as settings. */
  action?: string | undefined
  /** A user id or an email address. */
  actor?: string | undefined
  from?: string | undefined
  /** Not included. */
  to?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

export type AuditListReply = {
  entries: Array<{
    id: string
    /** Null on the chain of the platform itself. */
    orgId: string | null
    actorUserId: string | null
    actorEmail: string | null
    actorKind: 'user' | 'key' | 'operator' | 'system'
    action: string
    target: string | null
    metadata: { [key: string]: unknown }
    ip: string | null
    createdAt: string
    seq: number
    /** SHA-256 in hexadecimal. */
    hash: string
    /** SHA-256 in hexadecimal. */
    prevHash: string
  }>
  nextCursor: string | null
}

export type AuditVerifyQuery = {
  /** Every organisation; platform staff only. */
  scope?: 'all' | undefined
  cursor?: string | undefined
}

export type AuditVerifyReply = {
  ok: boolean
  /** How many entries were checked and found right. */
  entries: number
  /** The end of the own chain; note it down to prove later that nothing was cut off. */
  head: {
    seq: number
    /** SHA-256 in hexadecimal. */
    hash: string
  } | null
  broken: {
    seq: number
    id: string | null
    reason: 'missing' | 'edited' | 'unexpected'
    orgId: string | null
  } | null
  nextCursor: string | null
}

export type AuthConfigReply = {
  mode: 'native' | 'dev' | 'none'
  methods: Array<'password' | 'magic_link' | 'totp' | 'oidc' | 'saml' | 'dev'>
  signupsEnabled: boolean
  passwordMinLength: 8
  appearance: {
    skin: string
    mode: string
    layout: string
  }
}

export type AuthDevLoginBody = {
  email: string
}

export type AuthDevLoginReply = {
  ok: true
  userId: string
  orgId: string
}

export type AuthLogoutReply = {
  ok: true
}

export type MeGetReply = Me

export type AdminSettingsListReply = {
  settings: Array<{
    key: string
    group: string
    label: string
    description: string
    type: 'boolean' | 'number' | 'enum' | 'string'
    options?: Array<{
      value: string
      label: string
      note: string
    }> | undefined
    min?: number | undefined
    max?: number | undefined
    unit?: 'minor' | 'ms' | 'mb' | 'pct' | 'count' | undefined
    default: boolean | number | string
    /** The effective value. A secret shows its last four characters. */
    value: boolean | number | string
    /** Nothing is stored for it. */
    isDefault: boolean
    source: 'operator' | 'env' | 'default'
    /** The variable that seeds it. */
    env: string
    superAdminOnly: boolean
    updatedAt: string | null
    updatedByEmail: string | null
  }>
  /** Stored keys that this build does not declare: without effect, clearable. */
  orphans: Array<{
    key: string
    value: unknown
    source: 'operator' | 'env'
    updatedAt: string
    updatedByEmail: string | null
  }>
  groups: Array<{
    id: string
    label: string
    blurb: string
  }>
  canManageRestricted: boolean
}

export type AdminSettingsSetBody = {
  value: unknown
}

export type AdminSettingsSetReply = {
  ok: true
  /** Null after clearing a key that this build does not declare. */
  setting: {
    key: string
    group: string
    label: string
    description: string
    type: 'boolean' | 'number' | 'enum' | 'string'
    options?: Array<{
      value: string
      label: string
      note: string
    }> | undefined
    min?: number | undefined
    max?: number | undefined
    unit?: 'minor' | 'ms' | 'mb' | 'pct' | 'count' | undefined
    default: boolean | number | string
    /** The effective value. A secret shows its last four characters. */
    value: boolean | number | string
    /** Nothing is stored for it. */
    isDefault: boolean
    source: 'operator' | 'env' | 'default'
    /** The variable that seeds it. */
    env: string
    superAdminOnly: boolean
    updatedAt: string | null
    updatedByEmail: string | null
  } | null
  /** Secrets that were emptied because the host they were for was given up. */
  cleared: string[]
}

export type AdminSettingsResetReply = {
  ok: true
  /** Null after clearing a key that this build does not declare. */
  setting: {
    key: string
    group: string
    label: string
    description: string
    type: 'boolean' | 'number' | 'enum' | 'string'
    options?: Array<{
      value: string
      label: string
      note: string
    }> | undefined
    min?: number | undefined
    max?: number | undefined
    unit?: 'minor' | 'ms' | 'mb' | 'pct' | 'count' | undefined
    default: boolean | number | string
    /** The effective value. A secret shows its last four characters. */
    value: boolean | number | string
    /** Nothing is stored for it. */
    isDefault: boolean
    source: 'operator' | 'env' | 'default'
    /** The variable that seeds it. */
    env: string
    superAdminOnly: boolean
    updatedAt: string | null
    updatedByEmail: string | null
  } | null
  /** Secrets that were emptied because the host they were for was given up. */
  cleared: string[]
}

export type Api = {
  readonly system: {
    /** Say that the process is alive. `GET /health` */
    health(options?: CallOptions): Promise<SystemHealthReply>
    /** Say that the service can work: its database answers. `GET /readyz` */
    ready(options?: CallOptions): Promise<SystemReadyReply>
    /** Say which build answers and which API version it speaks. `GET /version` */
    version(options?: CallOptions): Promise<SystemVersionReply>
    /** This document. `GET /openapi.json` */
    openapi(options?: CallOptions): Promise<SystemOpenapiReply>
    /** Numbers for Prometheus. `GET /metrics` */
    metrics(options?: CallOptions): Promise<string>
  }
  readonly audit: {
    /** Who did what in your organisation, newest first. `GET /audit` */
    list(query?: AuditListQuery, options?: CallOptions): Promise<AuditListReply>
    /** Walk the chain of hashes and say whether every entry is still the one that was written. `GET /audit/verify` */
    verify(query?: AuditVerifyQuery, options?: CallOptions): Promise<AuditVerifyReply>
  }
  readonly auth: {
    /** Say how one can sign in here, and how the app should look. `GET /auth/config` */
    config(options?: CallOptions): Promise<AuthConfigReply>
    /** Sign in by email address alone. Development only. `POST /auth/dev-login` */
    devLogin(body: AuthDevLoginBody, options?: CallOptions): Promise<AuthDevLoginReply>
    /** End the current session, everywhere at once. `POST /auth/logout` */
    logout(options?: CallOptions): Promise<AuthLogoutReply>
  }
  readonly me: {
    /** Show who you are, in which organisation, and what you may do. `GET /me` */
    get(options?: CallOptions): Promise<MeGetReply>
  }
  readonly admin: {
    readonly settings: {
      /** Every platform setting with its effective value and who set it. `GET /admin/settings` */
      list(options?: CallOptions): Promise<AdminSettingsListReply>
      /** Store a value for a platform setting. `PUT /admin/settings/{key}` */
      set(key: string, body: AdminSettingsSetBody, options?: CallOptions): Promise<AdminSettingsSetReply>
      /** Return a platform setting to its default. `DELETE /admin/settings/{key}` */
      reset(key: string, options?: CallOptions): Promise<AdminSettingsResetReply>
    }
  }
}

/** Every refusal by its name, with its status. */
export const errorStatuses = {
  bad_request: 400,
  invalid_fields: 400,
  malformed_json: 400,
  unauthenticated: 401,
  cross_origin: 403,
  forbidden: 403,
  session_required: 403,
  sso_required: 403,
  staff_only: 403,
  wrong_secret: 403,
  not_found: 404,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_setting: 422,
  unknown_setting: 422,
  rate_limited: 429,
  internal: 500,
  busy: 503,
  database_unavailable: 503,
  handler_timeout: 503,
  maintenance: 503,
  not_configured: 503,
  outcome_unknown: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

export const operations: Readonly<Record<string, Operation>> = {
  'system.health': { method: 'GET', path: '/health', reply: 'json' },
  'system.ready': { method: 'GET', path: '/readyz', reply: 'json' },
  'system.version': { method: 'GET', path: '/version', reply: 'json' },
  'system.openapi': { method: 'GET', path: '/openapi.json', reply: 'json' },
  'system.metrics': { method: 'GET', path: '/metrics', reply: 'text' },
  'audit.list': { method: 'GET', path: '/audit', query: true, reply: 'json' },
  'audit.verify': { method: 'GET', path: '/audit/verify', query: true, reply: 'json' },
  'auth.config': { method: 'GET', path: '/auth/config', reply: 'json' },
  'auth.devLogin': { method: 'POST', path: '/auth/dev-login', body: true, reply: 'json' },
  'auth.logout': { method: 'POST', path: '/auth/logout', reply: 'json' },
  'me.get': { method: 'GET', path: '/me', reply: 'json' },
  'admin.settings.list': { method: 'GET', path: '/admin/settings', reply: 'json' },
  'admin.settings.set': { method: 'PUT', path: '/admin/settings/{key}', params: ['key'], body: true, reply: 'json' },
  'admin.settings.reset': { method: 'DELETE', path: '/admin/settings/{key}', params: ['key'], reply: 'json' },
}
