// Teams: opened, renamed, and changed by one caller at a time.
import { record } from '../audit/audit.ts'
import { lockUser } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import {
  countTeamsCreatedBy,
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

export { requireOutsider } from './outsider.ts'
export { listOrgContacts, type OrgContact } from './told-sql.ts'

// Counted by who opened them: what somebody is made an owner of must not keep them from opening their own.
const OPENED_TEAMS_MAX = 20
// What a team has until it buys more.
const FIRST_SEATS = 5

/** An organisation of several, owned by the caller. */
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
    // Of two at the same time the second waits here, and counts the first.
    await lockUser(tx, actor.userId)
    if ((await countTeamsCreatedBy(tx, actor.userId)) >= OPENED_TEAMS_MAX)
      throw new ApiError('limit_reached', {
        error: `You have opened ${OPENED_TEAMS_MAX} teams, as many as is allowed.`,
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

/** The organisation as it is under the lock, and the caller's own place in it. */
export type LockedTeam = { org: Org; own: sql.Member }

/**
 * One change of an organisation at a time: what `work` reads stays true until it has committed. The door looked at the
 * caller's role before the lock was held, so it is looked at again.
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
