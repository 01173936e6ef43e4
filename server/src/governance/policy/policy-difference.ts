// Applies a policy change, and describes the difference for the audit log.
import { isDeepStrictEqual } from 'node:util'
import type { Isolation } from '../../platform/content/content.ts'
import type { PolicyChange } from './policy-schema.ts'
import type { StoredPolicy } from './stored-policy.ts'

/** The settings of an organisation that staff decide. */
export type Policy = StoredPolicy & { readonly dataIsolation: Isolation }

/** Omitted fields stay unchanged. Setting the tier of the plan lets the plan decide the tier again. */
export function applyChange(before: Policy, change: PolicyChange): Policy {
  const { tier, allowedLanes } = change
  return {
    ...before,
    ...(tier && { tier, tierFrom: tier === before.planTier ? 'plan' : 'policy' }),
    ...(allowedLanes && { allowedLanes: LANES.filter((lane) => allowedLanes.includes(lane)) }),
    dataIsolation: change.dataIsolation ?? before.dataIsolation,
    allowedModels: change.allowedModels === undefined ? before.allowedModels : change.allowedModels,
    residencyRegion: change.residencyRegion === undefined ? before.residencyRegion : change.residencyRegion,
    ssoRequired: change.ssoRequired ?? before.ssoRequired,
    groupRoleMap: change.groupRoleMap === undefined ? before.groupRoleMap : change.groupRoleMap,
  }
}

export type PolicyDifference = { readonly before: object; readonly after: object }

/** The changed fields before and after, or null. */
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
  'allowedModels',
  'ssoRequired',
] as const

// Leaves room for both sides in the size limit of an audit event.
const GROUP_BYTES_MAX = 3_000

type GroupSummary = { readonly count: number; readonly entries: readonly string[]; readonly unnamed?: number }

/**
 * The number of groups in a map, and the entries that differ from the other map. Entries are strings, because the audit log
 * masks fields whose names look like secrets. Entries beyond the size limit are only counted.
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
