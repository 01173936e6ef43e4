// Whether an organisation may be charged. Every paid route and every background job that spends money asks here.
import type { App } from '../platform/app.ts'
import { kycRequired, maintenanceMode } from '../platform/settings/platform-settings.ts'

export type ChargeRefusal = 'maintenance' | 'org_suspended' | 'kyc_required'
export type Chargeability<T> =
  | { readonly chargeable: true; readonly org: T }
  | { readonly chargeable: false; readonly refusal: ChargeRefusal }

/** A caller's organisation is open, so it has no `closed`. */
export type ChargedOrg = {
  readonly type: string
  readonly tier: string
  readonly suspended: boolean
  readonly kycStatus: string
  readonly closed?: boolean | undefined
}
export type ChargeRules = { readonly isMaintenance: boolean; readonly isKycRequired: boolean }

const refused = (refusal: ChargeRefusal) => ({ chargeable: false, refusal }) as const

/**
 * Maintenance comes first: it ends, and the other refusals do not end by themselves. An unknown or closed organisation is
 * refused like a suspended one: it has no members left, so the API has no code for it.
 */
export function chargeability<T extends ChargedOrg>(
  org: T | undefined,
  rules: ChargeRules,
): Chargeability<T> {
  if (rules.isMaintenance) return refused('maintenance')
  if (!org || org.closed || org.suspended) return refused('org_suspended')
  const isBusiness = org.type !== 'individual' || org.tier !== 'individual'
  if (rules.isKycRequired && isBusiness && org.kycStatus !== 'verified') return refused('kyc_required')
  return { chargeable: true, org }
}

/** As `chargeability`, under the settings of the platform. */
export const chargeabilityNow = <T extends ChargedOrg>(
  { settings }: App,
  org: T | undefined,
): Chargeability<T> =>
  chargeability(org, {
    isMaintenance: settings.get(maintenanceMode),
    isKycRequired: settings.get(kycRequired),
  })
