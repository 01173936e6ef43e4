// Evaluates a flag: the organisation's override wins, then the tier's, then the default.
import type { OrgId } from '../kernel/ids.ts'

export const TIERS = ['individual', 'team', 'enterprise'] as const
export type FlagTier = (typeof TIERS)[number]
export type TierOverrides = { readonly [tier in FlagTier]?: boolean | undefined }

/** A flag with the overrides of organisations. */
export type CachedFlag = {
  readonly key: string
  readonly defaultEnabled: boolean
  readonly tierOverrides: TierOverrides
  readonly orgs: ReadonlyMap<string, boolean>
}

/** The tier comes from the request, so that a plan change applies at once. */
export type FlagContext = { readonly orgId: OrgId; readonly tier: string }
export type FlagValue = { readonly enabled: boolean; readonly source: 'org' | 'tier' | 'default' }

export function evaluate(flag: CachedFlag, { orgId, tier }: FlagContext): FlagValue {
  const orgOverride = flag.orgs.get(orgId)
  if (orgOverride !== undefined) return { enabled: orgOverride, source: 'org' }
  const knownTier = TIERS.find((each) => each === tier)
  const byTier = knownTier && flag.tierOverrides[knownTier]
  if (byTier !== undefined) return { enabled: byTier, source: 'tier' }
  return { enabled: flag.defaultEnabled, source: 'default' }
}
