// Public API of teams: creating, renaming and locking a team.
import { record } from '../audit/audit.ts'
import { lockUser } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import {
  countTeamsCreatedBy,
  findMembership,
  insertMembership,
  insertOrg,
  lockOrg,
  type Org,
  renameOrg,
} from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Actor, hasRole, type OrgRole } from '../platform/http/actor.ts'
import * as sql from './members-sql.ts'

export { listOrgContacts, type Member, memberById, type OrgContact } from './members-sql.ts'
export { type AuditTrace, changeMembership, endMembership, startMembership } from './membership.ts'

// Counts created teams, not owned ones, so that teams transferred to a user do not count.
const CREATED_TEAMS_MAX = 20
// Seats of a new team.
const FIRST_SEATS = 5

/** Creates a team owned by the caller. */
export async function createTeam(
  app: App,
  actor: Actor,
  { name, currency = actor.org.currency }: { name: string; currency?: Currency | undefined },
  ip: string,
) {
  const id = newId('org')
  const org = {
    id,
    name,
    type: 'team',
    currency,
    seatAllotment: FIRST_SEATS,
    createdBy: actor.userId,
  } as const
  await app.db.tx(id, async (tx) => {
    // A concurrent call waits here, so that it counts this team.
    await lockUser(tx, actor.userId)
    if ((await countTeamsCreatedBy(tx, actor.userId)) >= CREATED_TEAMS_MAX)
      throw new ApiError('limit_reached', {
        error: `You have created ${CREATED_TEAMS_MAX} teams, the maximum.`,
      })
    await insertOrg(tx, org)
    await insertMembership(tx, id, actor.userId, 'owner')
    await record(tx, {
      orgId: id,
      actor,
      ip,
      action: 'teams.create',
      target: id,
      metadata: { name, currency },
    })
  })
  return { orgId: id, name, type: org.type, role: 'owner' as const, currency, seatAllotment: FIRST_SEATS }
}

export function renameTeam(app: App, actor: Actor, orgId: OrgId, name: string, ip: string) {
  return withTeamLock(app, actor, orgId, 'admin', async (tx, { org, own }) => {
    if (name !== org.name) {
      await renameOrg(tx, orgId, name)
      const metadata = { from: org.name, to: name }
      await record(tx, { orgId, actor, ip, action: 'teams.rename', target: orgId, metadata })
    }
    const { type, currency, seatAllotment } = org
    return { orgId, name, type, role: own.role, currency, seatAllotment }
  })
}

/** The locked organisation, and the membership of the caller. */
export type LockedTeam = { org: Org; own: sql.Member }

/**
 * Serialises changes of a team: data that `work` reads stays valid until the commit. The route checked the role of the
 * caller before the lock, so it is checked again.
 */
export function withTeamLock<T>(
  app: App,
  actor: Actor,
  orgId: OrgId,
  needed: OrgRole,
  work: (tx: Tx, locked: LockedTeam) => Promise<T>,
): Promise<T> {
  return app.db.tx(orgId, async (tx) => {
    const org = await lockOrg(tx, orgId)
    const own = await sql.memberById(tx, orgId, actor.userId)
    if (!org || !own) throw new ApiError('not_found')
    if (!hasRole(own.role, needed)) throw new ApiError('forbidden')
    return work(tx, { org, own })
  })
}

/**
 * Refuses staff who are members of the organisation. Super admins are exempt: they control all staff anyway, and a small
 * platform may have only one. The audit log of the organisation shows their action.
 */
export async function requireOutsider(
  tx: Tx,
  actor: Pick<Actor, 'staffRole' | 'userId'>,
  org: OrgId,
): Promise<void> {
  if (actor.staffRole === 'super_admin') return
  if (await findMembership(tx, org, actor.userId))
    throw new ApiError('forbidden', {
      error: 'You are a member of this organisation. Another staff member must decide.',
    })
}
