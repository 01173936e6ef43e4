// Every statement about the policies of organisations. Where their content is, `app.content` knows.
import type { OrgId } from '../kernel/ids.ts'
import { json, type Tx } from '../platform/db/tx.ts'

export type Tier = 'individual' | 'team' | 'enterprise'
export type Lane = 'open' | 'frontier'

export type PolicyRow = {
  orgId: OrgId
  tier: Tier
  planTier: Tier
  tierFrom: 'plan' | 'policy'
  residencyRegion: string | null
  allowedLanes: Lane[]
  ssoRequired: boolean
  groupRoleMap: Record<string, string> | null
  updatedAt: Date | null
}

export function policyOf(tx: Tx, org: OrgId) {
  return tx.maybe<PolicyRow>`
    select id as "orgId", tier, coalesce(plan_tier, type) as "planTier",
           case when policy_tier is null then 'plan' else 'policy' end as "tierFrom",
           residency_region as "residencyRegion", allowed_lanes as "allowedLanes", sso_required as "ssoRequired",
           group_role_map as "groupRoleMap", policy_changed_at as "updatedAt"
    from orgs where id = ${org}`
}

/** As `policyOf`, and nobody else changes it until the transaction ends. None of an organisation that is closed. */
export function lockPolicy(tx: Tx, org: OrgId) {
  return tx.maybe<PolicyRow>`
    select id as "orgId", tier, coalesce(plan_tier, type) as "planTier",
           case when policy_tier is null then 'plan' else 'policy' end as "tierFrom",
           residency_region as "residencyRegion", allowed_lanes as "allowedLanes", sso_required as "ssoRequired",
           group_role_map as "groupRoleMap", policy_changed_at as "updatedAt"
    from orgs where id = ${org} and closed_at is null for no key update`
}

/** What every request of the organisation reads from now on. */
export async function writePolicy(tx: Tx, policy: PolicyRow): Promise<void> {
  const { tier, tierFrom, groupRoleMap } = policy
  await tx.rows`
    update orgs set tier = ${tier}, policy_tier = ${tierFrom === 'policy' ? tier : null},
      residency_region = ${policy.residencyRegion}, allowed_lanes = ${policy.allowedLanes},
      sso_required = ${policy.ssoRequired}, group_role_map = ${groupRoleMap && json(groupRoleMap)},
      policy_changed_at = ${tx.now}
    where id = ${policy.orgId}`
}
