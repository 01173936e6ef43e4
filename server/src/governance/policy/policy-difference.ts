// What a change of policy changes, in the words that the record keeps for ever.
import { isDeepStrictEqual } from 'node:util'
import type { Isolation } from '../../platform/content/content.ts'
import type { PolicyChange } from './policy-schema.ts'
import type { StoredPolicy } from './stored-policy.ts'

/** All that staff decide about an organisation. */
export type Policy = StoredPolicy & { readonly dataIsolation: Isolation }

/** The policy as it is wished: what is left out stays. The tier that the plan gives is the plan's to change again. */
export function applyChange(before: Policy, wished: PolicyChange): Policy {
  const { tier, allowedLanes } = wished
  return {
    ...before,
    ...(tier && { tier, tierFrom: tier === before.planTier ? 'plan' : 'policy' }),
    ...(allowedLanes && { allowedLanes: LANES.filter((lane) => allowedLanes.includes(lane)) }),
    dataIsolation: wished.dataIsolation ?? before.dataIsolation,
    residencyRegion: wished.residencyRegion === undefined ? before.residencyRegion : wished.residencyRegion,
    ssoRequired: wished.ssoRequired ?? before.ssoRequired,
    groupRoleMap: wished.groupRoleMap === undefined ? before.groupRoleMap : wished.groupRoleMap,
  }
}

export type PolicyDifference = { readonly before: object; readonly after: object }

/** What differs, before and after; null when nothing does. */
export function comparePolicies(before: Policy, after: Policy): PolicyDifference | null {
  const names = COMPARED.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const hasMap = !isDeepStrictEqual(before.groupRoleMap, after.groupRoleMap)
  if (names.length === 0 && !hasMap) return null
  const side = (one: Policy, other: Policy) => ({
    ...Object.fromEntries(names.map((name) => [name, one[name]])),
    ...(hasMap && { groupRoleMap: summarizeGroups(one.groupRoleMap, other.groupRoleMap) }),
  })
  return { before: side(before, after), after: side(after, before) }
}

const LANES = ['open', 'frontier'] as const
const COMPARED = [
  'tier',
  'tierFrom',
  'dataIsolation',
  'residencyRegion',
  'allowedLanes',
  'ssoRequired',
] as const

// Both sides and all else of a change fit in what the record keeps of one.
const GROUP_BYTES_MAX = 3_000

type GroupSummary = { readonly count: number; readonly entries: readonly string[]; readonly unnamed?: number }

/**
 * Of a map, how many groups it has and those that are not the same in the other. As texts: a field that is named like
 * a secret would be masked, and what a group is called is none. Those that do not fit are counted.
 */
function summarizeGroups(
  map: StoredPolicy['groupRoleMap'],
  other: StoredPolicy['groupRoleMap'],
): GroupSummary | null {
  if (map === null) return null
  const all = Object.entries(map)
  const own = all.filter(([group, role]) => other === null || other[group] !== role)
  const entries: string[] = []
  let bytes = 0
  for (const [group, role] of own) {
    const entry = `${group}: ${role}`
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1
    if (bytes > GROUP_BYTES_MAX) break
    entries.push(entry)
  }
  const unnamed = own.length - entries.length
  return { count: all.length, entries, ...(unnamed > 0 && { unnamed }) }
}
