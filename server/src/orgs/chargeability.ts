// Whether an organisation may be charged. Every paid route and every background job that spends money asks here.
import type { App } from '../platform/app.ts'
import { kycRequired, maintenanceMode } from '../platform/settings/platform-settings.ts'
import type { Org } from './sql.ts'

export type ChargeRefusal = 'maintenance' | 'org_suspended' | 'kyc_required'
export type Chargeability =
  | { readonly chargeable: true }
  | { readonly chargeable: false; readonly refusal: ChargeRefusal }

/** A caller's organisation is open, so it has no `closed`. */
export type ChargedOrg = {
  readonly type: string
  readonly tier: string
  readonly suspended: boolean
  readonly kycStatus: string
  readonly closed?: boolean
}
export type ChargeRules = { readonly isMaintenance: boolean; readonly isKycRequired: boolean }

const CHARGEABLE: Chargeability = { chargeable: true }
const refused = (refusal: ChargeRefusal): Chargeability => ({ chargeable: false, refusal })

/**
 * Maintenance comes first: it ends, and the other refusals do not end by themselves. An unknown or closed organisation is
 * refused like a suspended one: it has no members left, so the API has no code for it.
 */
export function chargeability(org: ChargedOrg | undefined, rules: ChargeRules): Chargeability {
  if (rules.isMaintenance) return refused('maintenance')
  if (!org || org.closed || org.suspended) return refused('org_suspended')
  const isBusiness = org.type !== 'individual' || org.tier !== 'individual'
  if (rules.isKycRequired && isBusiness && org.kycStatus !== 'verified') return refused('kyc_required')
  return CHARGEABLE
}

/** As `chargeability`, under the settings of the platform. */
export const chargeabilityNow = ({ settings }: App, org: Org | undefined): Chargeability =>
  chargeability(org, {
    isMaintenance: settings.get(maintenanceMode),
    isKycRequired: settings.get(kycRequired),
  })
