// What staff should know about a policy that is in force: none of it is refused, for it may be meant.
import type { Tier } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { getSsoStatus, type SsoStatus } from '../../sso/sso.ts'
import type { StoredPolicy } from './stored-policy.ts'

export async function policyWarnings(app: App, tx: Tx, policy: StoredPolicy): Promise<string[]> {
  const sso = policy.ssoRequired ? await getSsoStatus(tx, policy.orgId) : null
  return [
    sso && ssoWarning(sso),
    policy.residencyRegion !== null && !hasClearedModel(app) ? NO_CLEARED_MODEL : null,
    rank(policy.tier) < rank(policy.planTier)
      ? `The tier is lower than the one its plan gives: the organisation pays for ${policy.planTier}.`
      : null,
  ].filter((warning) => warning !== null)
}

const NO_CLEARED_MODEL =
  'The organisation is bound to a region and no model is cleared for it: all its work is refused until upstream_open_noprc_model is set.'

function ssoWarning({ isConnected, hasDomain }: SsoStatus): string | null {
  if (!isConnected)
    return 'Single sign-on is required and no connection is enabled: nobody can sign in by password any more, nor in any other way.'
  if (!hasDomain)
    return 'Single sign-on is required and no domain is verified: the provider is believed about nobody, so nobody can sign in.'
  return null
}

/** The setting belongs to metering, which is built on us: it is asked for by its name. */
function hasClearedModel({ settings }: App): boolean {
  const setting = settings.find('upstream_open_noprc_model')
  return setting !== undefined && settings.get(setting) !== ''
}

const rank = (tier: Tier): number => ['individual', 'team', 'enterprise'].indexOf(tier)
