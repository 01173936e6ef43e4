// A user's organisations, and the active one of a session.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { acceptInvitation, orgsOfUser, shareMembership } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { isPerson } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { isInAllowList } from '../allowed-addresses.ts'
import { moveSession } from '../sessions/sessions-sql.ts'
import { lockUser } from '../sql.ts'

// No client shows a longer list.
const ORGS_LISTED_MAX = 1_000

/** The earliest membership first. A key belongs to one organisation and sees no other. */
export async function listOrgs(app: App, actor: Actor) {
  const only = isPerson(actor) ? null : actor.orgId
  const orgs = await orgsOfUser(app.db.direct, actor.userId, only, ORGS_LISTED_MAX)
  return { orgs: orgs.map((each) => ({ ...each, active: each.orgId === actor.orgId })) }
}

/** Moves the session to another organisation. The next sign-in opens that one as well. */
export async function switchOrg(app: App, actor: Actor, orgId: string, request: RequestInfo): Promise<OrgId> {
  const { sessionId, userId } = actor
  if (!sessionId)
    throw new ApiError('session_required', {
      error: 'Only a session has an organisation to switch; sign in with a browser session.',
    })
  return app.db.tx('platform', async (tx) => {
    // Lock order everywhere: users, memberships, sessions.
    await lockUser(tx, userId)
    const org = await shareMembership(tx, orgId, userId)
    if (!org) throw new ApiError('not_found')
    if (org.ssoRequired && actor.ssoOrgId !== org.orgId) throw new ApiError('sso_required')
    if (!isInAllowList(request.address, org.ipAllowList)) throw new ApiError('org_address_not_allowed')
    await acceptInvitation(tx, userId, org.orgId)
    const isOpen = await moveSession(tx, sessionId, userId, org.orgId)
    if (!isOpen) throw new ApiError('unauthenticated')
    await record(tx, {
      orgId: org.orgId,
      actor,
      ip: request.address,
      action: 'me.switchOrg',
      target: org.orgId,
      metadata: { from: actor.orgId },
    })
    return org.orgId
  })
}
