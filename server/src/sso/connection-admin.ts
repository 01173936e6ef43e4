// Staff manage the connection of an organisation. Every change is validated first and recorded in the audit
// log.
import { isDeepStrictEqual } from 'node:util'
import { record } from '../audit/audit.ts'
import { endSsoSessions } from '../identity/identity.ts'
import { ApiError, type Field } from '../kernel/errors.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import {
  type EgressRules,
  egressRules,
  findAddressProblem,
  findHostProblem,
} from '../platform/egress/egress.ts'
import { findPortProblem } from '../platform/egress/public-address.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { secretContext } from './connections.ts'
import { requireOrg } from './domains.ts'
import { readCertificates } from './saml/certificates.ts'
import type { ConnectionChange, NewConnection } from './schema.ts'
import * as sql from './sql.ts'

export async function getConnection(app: App, orgId: string) {
  const row = await sql.findConnectionByOrg(app.db.direct, await requireOrg(app, orgId))
  return { connection: row ? toApiConnection(app, row) : null }
}

export async function addConnection(
  app: App,
  actor: Actor,
  orgId: string,
  body: NewConnection,
  request: RequestInfo,
) {
  const org = await requireOrg(app, orgId)
  rejectOtherTypeFields(body.type, body)
  const checked = await validate(app, body)
  const id: sql.ConnectionId = newId('sso')
  return saveConnection(app, async (tx) => {
    const row = applyChanges(app, emptyConnection(id, org, body.type, tx.now), checked)
    if (!(await sql.insertConnection(tx, row))) throw new ApiError('connection_exists')
    await recordChange(tx, actor, request, 'orgs.sso.add', row, checked)
    return row
  })
}

export async function changeConnection(
  app: App,
  actor: Actor,
  orgId: string,
  body: ConnectionChange,
  request: RequestInfo,
) {
  const org = await requireOrg(app, orgId)
  const checked = await validate(app, body)
  return saveConnection(app, async (tx) => {
    const before = await sql.lockConnection(tx, org)
    if (!before) throw new ApiError('not_found')
    rejectOtherTypeFields(before.type, body)
    const row = { ...applyChanges(app, before, checked), updatedAt: tx.now }
    await sql.updateConnection(tx, row)
    if (invalidatesSessions(before, row)) await endSsoSessions(tx, org)
    await recordChange(tx, actor, request, 'orgs.sso.change', row, checked)
    return row
  })
}

export async function removeConnection(
  app: App,
  actor: Actor,
  orgId: string,
  request: RequestInfo,
): Promise<{ ok: true }> {
  const org = await requireOrg(app, orgId)
  await app.db.tx('platform', async (tx) => {
    const deleted = await sql.deleteConnection(tx, org)
    if (!deleted) throw new ApiError('not_found')
    await endSsoSessions(tx, org)
    await record(tx, {
      orgId: org,
      actor,
      as: 'operator',
      ip: request.address,
      action: 'orgs.sso.remove',
      target: deleted.id,
    })
  })
  return { ok: true }
}

/** Whether sessions of the old connection must end: it was disabled, or its trust anchors changed. */
const invalidatesSessions = (before: sql.ConnectionRow, after: sql.ConnectionRow): boolean =>
  (before.enabled && !after.enabled) ||
  TRUST_FIELDS.some((name) => !isDeepStrictEqual(before[name], after[name]))

const TRUST_FIELDS = ['issuer', 'clientId', 'entityId', 'certificates'] as const

/** The address that the provider redirects back to. */
export const redirectUri = (app: App, type: 'oidc' | 'saml'): string =>
  `${app.config.baseUrl}/auth/sso/${type === 'oidc' ? 'oidc/callback' : 'saml/acs'}`

type ValidConnection = Omit<ConnectionChange, 'certificate'> & { certificates?: string[] }

/** Rejects settings that cannot work. It does DNS lookups, so it runs outside the transaction. */
async function validate(app: App, body: ConnectionChange | NewConnection): Promise<ValidConnection> {
  const { certificate, ...given }: ConnectionChange = withoutType(body)
  const fields: Field[] = []
  const addProblem = (path: string, message: string | null) => message && fields.push({ path, message })
  if (given.issuer !== undefined) addProblem('issuer', await issuerProblem(given.issuer, egressRules(app)))
  if (given.ssoUrl !== undefined) addProblem('ssoUrl', browserUrlProblem(given.ssoUrl, egressRules(app)))
  const certificates = certificate === undefined ? undefined : readCertificates(certificate)
  if (certificates && 'problem' in certificates) addProblem('certificate', certificates.problem)
  if (fields.length > 0) throw new ApiError('invalid_connection', { fields })
  return { ...given, ...(Array.isArray(certificates) && { certificates }) }
}

async function issuerProblem(issuer: string, rules: EgressRules): Promise<string | null> {
  if (/[?#]/.test(issuer)) return 'must not have a query or fragment'
  if (issuer.includes('/.well-known/'))
    return 'must be the issuer itself, without /.well-known/ and what follows'
  return findHostProblem(issuer, rules)
}

/** A URL that only browsers open may be inside the customer's network. */
export function browserUrlProblem(address: string, rules: EgressRules): string | null {
  const url = URL.parse(address)
  return url?.protocol === 'https:' ? findPortProblem(url) : findAddressProblem(address, rules)
}

function withoutType(body: ConnectionChange | NewConnection): ConnectionChange {
  if (!('type' in body)) return body
  const { type: _, ...rest } = body
  return rest
}

const FIELDS_OF = {
  oidc: ['issuer', 'clientId', 'clientSecret'],
  saml: ['entityId', 'ssoUrl', 'certificate'],
} as const

function rejectOtherTypeFields(type: 'oidc' | 'saml', body: ConnectionChange | NewConnection): void {
  const other = type === 'oidc' ? 'saml' : 'oidc'
  const foreign = FIELDS_OF[other].filter((name) => body[name] !== undefined)
  if (foreign.length === 0) return
  const message = `does not belong to a connection of type ${type}; delete it and add one of the other type`
  throw new ApiError('invalid_connection', { fields: foreign.map((path) => ({ path, message })) })
}

const emptyConnection = (
  id: sql.ConnectionId,
  orgId: OrgId,
  type: 'oidc' | 'saml',
  now: Date,
): sql.ConnectionRow => ({
  id,
  orgId,
  type,
  enabled: true,
  issuer: null,
  clientId: null,
  sealedSecret: null,
  entityId: null,
  ssoUrl: null,
  certificates: [],
  createdAt: now,
  updatedAt: now,
})

function applyChanges(app: App, row: sql.ConnectionRow, changes: ValidConnection): sql.ConnectionRow {
  const { clientSecret, ...plain } = changes
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const sealed = clientSecret && app.secrets.seal(clientSecret, secretContext(row.id))
  return { ...row, ...given, ...(clientSecret !== undefined && { sealedSecret: sealed || null }) }
}

async function saveConnection(app: App, work: (tx: Tx) => Promise<sql.ConnectionRow>) {
  return { connection: toApiConnection(app, await app.db.tx('platform', work)) }
}

/** The audit log lists the changed fields, without the secret and the long certificates. */
async function recordChange(
  tx: Tx,
  actor: Actor,
  request: RequestInfo,
  action: string,
  row: sql.ConnectionRow,
  { certificates, clientSecret, ...changes }: ValidConnection,
): Promise<void> {
  await record(tx, {
    orgId: row.orgId,
    actor,
    as: 'operator',
    ip: request.address,
    action,
    target: row.id,
    metadata: {
      type: row.type,
      ...changes,
      ...(certificates && { certificates: certificates.length }),
      ...(clientSecret !== undefined && { credentialChanged: true }),
    },
  })
}

const toApiConnection = (app: App, { sealedSecret, certificates, orgId: _, ...row }: sql.ConnectionRow) => ({
  ...row,
  hasClientSecret: sealedSecret !== null,
  certificate: certificates.length > 0 ? certificates.join('') : null,
  redirectUri: redirectUri(app, row.type),
})
