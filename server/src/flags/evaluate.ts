// Whether a feature is on for an organisation: its own word counts first, then that of its tier, then the default.
import type { OrgId } from '../kernel/ids.ts'

export const TIERS = ['individual', 'team', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]
export type TierOverrides = { readonly [tier in Tier]?: boolean | undefined }

/** A flag with what is decided for single organisations. */
export type KnownFlag = {
  readonly key: string
  readonly defaultEnabled: boolean
  readonly tierOverrides: TierOverrides
  readonly orgs: ReadonlyMap<string, boolean>
}

/** The tier is the one of this request: a change of plan counts at once. */
export type Asking = { readonly orgId: OrgId; readonly tier: string }
export type Answer = { readonly enabled: boolean; readonly source: 'org' | 'tier' | 'default' }

export function evaluate(flag: KnownFlag, { orgId, tier }: Asking): Answer {
  const own = flag.orgs.get(orgId)
  if (own !== undefined) return { enabled: own, source: 'org' }
  const ofTier = TIERS.find((each) => each === tier)
  const byTier = ofTier && flag.tierOverrides[ofTier]
  if (byTier !== undefined) return { enabled: byTier, source: 'tier' }
  return { enabled: flag.defaultEnabled, source: 'default' }
}
