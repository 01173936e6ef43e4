// Whether background work may still charge an organisation. The rules are those of paid routes.
import type { App } from '../platform/app.ts'
import { kycRequired, maintenanceMode } from '../platform/settings/platform-settings.ts'
import type { Payer } from './payer-sql.ts'

export { type Payer, payerOf } from './payer-sql.ts'

/** The reason why an organisation may not be charged; null when it may. */
export function paymentBlock(
  app: App,
  payer: Payer | undefined,
): 'org_suspended' | 'maintenance' | 'kyc_required' | null {
  if (!payer || payer.suspended) return 'org_suspended'
  if (app.settings.get(maintenanceMode)) return 'maintenance'
  const isBusiness = payer.type !== 'individual' || payer.tier !== 'individual'
  const isUnverified = isBusiness && payer.kycStatus !== 'verified' && app.settings.get(kycRequired)
  return isUnverified ? 'kyc_required' : null
}
