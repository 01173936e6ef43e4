// Warnings about a valid policy that is probably a mistake.
import type { Tier } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { getSsoStatus, type SsoStatus } from '../../sso/sso.ts'
import type { StoredPolicy } from './stored-policy.ts'

export async function policyWarnings(app: App, tx: Tx, policy: StoredPolicy): Promise<string[]> {
  const sso = policy.ssoRequired ? await getSsoStatus(tx, policy.orgId) : null
  return [
    sso && ssoWarning(sso),
    policy.residencyRegion !== null && !hasApprovedModel(app) ? NO_APPROVED_MODEL : null,
    rank(policy.tier) < rank(policy.planTier)
      ? `The tier is lower than that of the plan: the organisation pays for ${policy.planTier}.`
      : null,
  ].filter((warning) => warning !== null)
}

const NO_APPROVED_MODEL =
  'The organisation has a region without an approved model: all its work is refused until upstream_open_noprc_model is set.'

function ssoWarning({ isConnected, hasDomain }: SsoStatus): string | null {
  if (!isConnected)
    return 'Single sign-on is required and no connection is enabled: members cannot sign in at all.'
  if (!hasDomain)
    return 'Single sign-on is required and no domain is verified: the provider is trusted for no address, so members cannot sign in.'
  return null
}

/** The setting belongs to metering, which depends on this module, so it is looked up by name. */
function hasApprovedModel({ settings }: App): boolean {
  const setting = settings.find('upstream_open_noprc_model')
  return setting !== undefined && settings.get(setting) !== ''
}

const rank = (tier: Tier): number => ['individual', 'team', 'enterprise'].indexOf(tier)
