// Roles by groups: the policy of the organisation maps names of groups to roles, as at a single sign-on.

import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import { lockOrg, type Org } from '../../orgs/orgs.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgToken } from '../../platform/http/actor.ts'
import { roleByGroups } from '../../sso/sso.ts'
import { changeMembership, memberById } from '../../teams/teams.ts'
import * as sql from './groups-sql.ts'

export type ProvisioningChange = { tx: Tx; org: Org; token: OrgToken; ip: string }

/** Locks the organisation: changes of its users and groups are serialised. */
export async function lockProvisioning(tx: Tx, token: OrgToken, ip: string): Promise<ProvisioningChange> {
  const org = await lockOrg(tx, token.orgId)
  // It was closed after the token was read.
  if (!org || org.closed) throw new ApiError('unauthenticated')
  return { tx, org, token, ip }
}

export async function roleOfNewMember(
  { tx, org }: ProvisioningChange,
  user: UserId,
): Promise<'admin' | 'member'> {
  const [found] = await sql.groupNamesOf(tx, org.id, [user])
  return roleByGroups(org.groupRoleMap, found?.names ?? []) ?? 'member'
}

/** Applies the roles after a change of groups with these names. Owners and users of other groups keep their role. */
export async function applyRoles(
  { tx, org, token, ip }: ProvisioningChange,
  users: readonly UserId[],
  groupNames: readonly string[],
): Promise<void> {
  const { groupRoleMap: map } = org
  if (!map || !groupNames.some((name) => Object.hasOwn(map, name))) return
  for (const { userId, role, names } of await sql.groupNamesOf(tx, org.id, users)) {
    const wanted = roleByGroups(map, names)
    if (role === null || role === 'owner' || wanted === null || role === wanted) continue
    const member = await memberById(tx, org.id, userId)
    if (member)
      await changeMembership(
        tx,
        org,
        member,
        { ...member, role: wanted },
        { actor: token, action: 'scim.users.role', ip },
      )
  }
}
