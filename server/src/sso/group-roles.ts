// Roles by groups of the identity provider, for sign-ins and provisioning.

/**
 * Maps groups to a role: the highest one that matches, else member, so that leaving a group revokes its role.
 * Null without a map. No group grants owner.
 */
export function roleByGroups(
  map: Readonly<Record<string, unknown>> | null,
  groups: readonly string[],
): 'admin' | 'member' | null {
  if (!map || Object.keys(map).length === 0) return null
  const isAdmin = groups.some((group) => Object.hasOwn(map, group) && map[group] === 'admin')
  return isAdmin ? 'admin' : 'member'
}
