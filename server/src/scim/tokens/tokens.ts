// SCIM tokens: an owner creates one for the directory service. Only the hash is stored.
import { record } from '../../audit/audit.ts'
import { generateKey, parseKey, requireRecentSignIn } from '../../identity/identity.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { lockOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Actor, OrgToken } from '../../platform/http/actor.ts'
import { verifiedDomains } from '../../sso/sso.ts'
import { scimUrl } from '../protocol/messages.ts'
import * as sql from './tokens-sql.ts'

// One per directory service, and one to replace it.
const TOKENS_MAX = 5
const TOUCH_SECONDS = 60

/** The token of a request. It is looked up for each request, so that a revoked one is refused on every replica at once. */
export async function authenticateToken(app: App, authorization: string | undefined): Promise<OrgToken> {
  const [, token = ''] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(authorization ?? '') ?? []
  const hash = parseKey(token, 'cst')
  const found = hash ? await sql.findByHash(app.db.direct, hash) : undefined
  if (!found)
    throw new ApiError('unauthenticated', { error: 'Send a SCIM token as "Authorization: Bearer <token>".' })
  const { id, orgId, name, lastUsedAt } = found
  const now = app.clock.now()
  if (!lastUsedAt || lastUsedAt < before(now, { seconds: TOUCH_SECONDS }))
    sql
      .touch(app.db.direct, id, now)
      .catch((error) => app.log.warn({ err: error }, 'scim.last_used.record_failed'))
  return { via: 'scim', tokenId: id, name, orgId }
}

export async function getProvisioning(app: App, orgId: OrgId) {
  const tokens = await sql.listTokens(app.db.direct, orgId)
  const domains = await verifiedDomains(app.db.direct, orgId)
  return { baseUrl: scimUrl(app), domains, tokens }
}

/** Only the reply has the token. */
export function addToken(app: App, actor: Actor, orgId: OrgId, name: string, ip: string) {
  requireRecentSignIn(app, actor)
  const { key, prefix, hash } = generateKey('cst')
  return app.db.tx(orgId, async (tx) => {
    const org = await lockOrg(tx, orgId)
    if (!org || org.closed) throw new ApiError('not_found')
    if ((await sql.countTokens(tx, orgId)) >= TOKENS_MAX)
      throw new ApiError('limit_reached', {
        error: `This organisation has ${TOKENS_MAX} SCIM tokens. Revoke one first.`,
      })
    const row = {
      id: newId('sct'),
      name,
      prefix,
      createdBy: actor.userId,
      createdAt: tx.now,
      lastUsedAt: null,
    }
    await sql.insertToken(tx, orgId, row, hash)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'orgs.sso.scim.addToken',
      target: row.id,
      metadata: { name, prefix },
    })
    return { ...row, token: key }
  })
}

export function revokeToken(app: App, actor: Actor, orgId: OrgId, id: string, ip: string) {
  requireRecentSignIn(app, actor)
  return app.db.tx(orgId, async (tx) => {
    const deleted = await sql.deleteToken(tx, orgId, id)
    if (!deleted)
      throw new ApiError('not_found', { error: 'The organisation has no SCIM token with this id.' })
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'orgs.sso.scim.revokeToken',
      target: id,
      metadata: { name: deleted.name },
    })
    return { ok: true as const }
  })
}
