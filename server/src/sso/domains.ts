// Email domains of an organisation: claimed by name and verified by DNS.
import { randomBytes } from 'node:crypto'
import { record } from '../audit/audit.ts'
import { endSsoSessions } from '../identity/identity.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { isOpenOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { challengeName, type DnsLookup, findTxtRecord } from './dns.ts'
import { isPublicMail, normaliseDomain } from './domain-names.ts'
import * as sql from './sql.ts'

const DOMAINS_MAX = 100

export async function listDomains(app: App, orgId: string) {
  const known = await requireOrg(app, orgId)
  const rows = await sql.listDomains(app.db.direct, known)
  return { domains: rows.map((row) => toApiDomain(row)) }
}

/** Claims a domain, or checks the DNS record of a claimed one. */
export async function addDomain(app: App, actor: Actor, orgId: string, given: string, request: RequestInfo) {
  const known = await requireOrg(app, orgId)
  const domain = normaliseDomain(given)
  if (!domain) throw invalidFields({ path: 'domain', message: 'must be a domain name such as example.com' })
  if (isPublicMail(domain)) throw new ApiError('domain_refused')
  if (await sql.isTaken(app.db.direct, known, domain)) throw new ApiError('domain_taken')
  const claimed = await sql.findDomain(app.db.direct, known, domain)
  if (!claimed) return claim(app, actor, known, domain, request)
  if (claimed.verifiedAt) return toApiDomain(claimed)
  const found = await findTxtRecord(app, domain, verificationRecord(claimed.token))
  if (found.foundAt === null) return toApiDomain(claimed, found)
  return verify(app, actor, known, claimed, found, request)
}

export async function removeDomain(
  app: App,
  actor: Actor,
  orgId: string,
  given: string,
  request: RequestInfo,
): Promise<{ ok: true }> {
  const known = await requireOrg(app, orgId)
  const domain = normaliseDomain(given) ?? ''
  await app.db.tx('platform', async (tx) => {
    if (!(await sql.deleteDomain(tx, known, domain))) throw new ApiError('not_found')
    // Ends all single sign-on sessions; users with addresses of other domains sign in again.
    await endSsoSessions(tx, known)
    await record(tx, {
      orgId: known,
      actor,
      as: 'operator',
      ip: request.address,
      action: 'orgs.sso.domains.remove',
      target: domain,
    })
  })
  return { ok: true }
}

/** Staff can name any organisation, so check that it exists. */
export async function requireOrg(app: App, orgId: string): Promise<OrgId> {
  if (!(await isOpenOrg(app.db.direct, orgId))) throw new ApiError('not_found')
  return orgId as OrgId
}

async function claim(app: App, actor: Actor, orgId: OrgId, domain: string, request: RequestInfo) {
  const token = randomBytes(24).toString('base64url')
  const row = await app.db.tx('platform', async (tx) => {
    await tx.lock(`sso domains ${orgId}`)
    const domains = await sql.listDomains(tx, orgId)
    const earlier = domains.find((each) => each.domain === domain)
    // A concurrent call claimed it first: return its record.
    if (earlier) return earlier
    if (domains.length >= DOMAINS_MAX) throw new ApiError('limit_reached')
    await sql.insertDomain(tx, orgId, domain, token)
    await record(tx, {
      orgId,
      actor,
      as: 'operator',
      ip: request.address,
      action: 'orgs.sso.domains.add',
      target: domain,
    })
    return { domain, token, createdAt: tx.now, verifiedAt: null }
  })
  return toApiDomain(row)
}

async function verify(
  app: App,
  actor: Actor,
  orgId: OrgId,
  claimed: sql.DomainRow,
  found: { foundAt: string },
  request: RequestInfo,
) {
  const { domain, token } = claimed
  const verifiedAt = await app.db.tx('platform', async (tx) => {
    await tx.lock(`sso domain ${domain}`)
    if (await sql.isTaken(tx, orgId, domain)) throw new ApiError('domain_taken')
    if (!(await sql.verifyDomain(tx, orgId, domain, token))) return null
    await record(tx, {
      orgId,
      actor,
      as: 'operator',
      ip: request.address,
      action: 'orgs.sso.domains.verify',
      target: domain,
      metadata: { foundAt: found.foundAt },
    })
    return tx.now
  })
  // A concurrent call may have verified or removed the domain.
  const row = verifiedAt ? { ...claimed, verifiedAt } : await sql.findDomain(app.db.direct, orgId, domain)
  if (!row) throw new ApiError('not_found')
  return toApiDomain(row, found)
}

const verificationRecord = (token: string): string => `cowrie-verification=${token}`

const toApiDomain = ({ domain, token, createdAt, verifiedAt }: sql.DomainRow, found?: DnsLookup) => ({
  domain,
  verified: verifiedAt !== null,
  txtRecord: verificationRecord(token),
  txtNames: [challengeName(domain), domain],
  foundAt: found?.foundAt ?? null,
  problem: found && 'problem' in found ? found.problem : null,
  createdAt,
  verifiedAt,
})
