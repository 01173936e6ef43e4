// Whether an organisation may still be charged by work that goes on without a request: the rules of every paid route.
import type { App } from '../platform/app.ts'
import { kycRequired, maintenanceMode } from '../platform/settings/platform-settings.ts'
import type { Payer } from './payer-sql.ts'

export { type Payer, payerOf } from './payer-sql.ts'

/** What keeps an organisation from paying for anything; null when nothing does. */
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
