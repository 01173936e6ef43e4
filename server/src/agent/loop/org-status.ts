// Whether work under way may take another turn: the organisation may have been suspended or its policy changed since the start.
import type { OrgId } from '../../kernel/ids.ts'
import type { ModelRoute } from '../../metering/metering.ts'
import { chargeability, findOrg, type Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { kycRequired } from '../../platform/settings/platform-settings.ts'
import type { LoopStopReason } from './schema.ts'

type OrgStop = Extract<LoopStopReason, 'suspended' | 'policy'>

/** Why no further model turn may begin; null while one may. Maintenance lets work under way finish. */
export async function orgStopReason(app: App, id: OrgId, route: ModelRoute): Promise<OrgStop | null> {
  const org = await findOrg(app.db.direct, id)
  const isKycRequired = app.settings.get(kycRequired)
  const charge = chargeability(org, { isMaintenance: false, isKycRequired })
  if (!charge.chargeable) return charge.refusal === 'kyc_required' ? 'policy' : 'suspended'
  return isAllowed(route, charge.org) ? null : 'policy'
}

/** A different model would have a different price than the quote, so a route that is no longer allowed ends the work. */
function isAllowed({ lane, isBound }: ModelRoute, { allowedLanes, residencyRegion }: Org): boolean {
  if (residencyRegion !== null) return isBound
  return lane === 'open' || allowedLanes.includes(lane)
}
