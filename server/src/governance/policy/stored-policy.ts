// The part of a policy that the organisation row carries. The isolation of its content is stored with the content.
import type { OrgId } from '../../kernel/ids.ts'
import type { Org, Tier } from '../../orgs/orgs.ts'

export type StoredPolicy = Pick<
  Org,
  'tier' | 'planTier' | 'residencyRegion' | 'allowedLanes' | 'allowedModels' | 'ssoRequired' | 'groupRoleMap'
> & {
  readonly orgId: OrgId
  readonly tierFrom: 'plan' | 'policy'
  readonly updatedAt: Date | null
}

export function storedPolicy(org: Org): StoredPolicy {
  const { id: orgId, tier, planTier, policyTier, policyChangedAt: updatedAt } = org
  const { residencyRegion, allowedLanes, allowedModels, ssoRequired, groupRoleMap } = org
  const tierFrom = policyTier === null ? 'plan' : 'policy'
  return {
    ...{ orgId, tier, planTier, tierFrom, updatedAt },
    ...{ residencyRegion, allowedLanes, allowedModels, ssoRequired, groupRoleMap },
  }
}

/** The tier that staff set; null when the plan decides. */
export const policyTierOf = ({ tier, tierFrom }: StoredPolicy): Tier | null =>
  tierFrom === 'policy' ? tier : null
