// An organisation itself, as it is handed over.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type OwnedOrg = { id: OrgId; name: string; suspendedAt: Date | null }

export function orgOf(tx: Tx, org: OrgId) {
  return tx.one<OwnedOrg>`
    select id, name, type, tier, currency, plan_code as "planCode", subscription_status as "subscriptionStatus",
           seat_allotment as "seatAllotment", kyc_status as "kycStatus", allowed_lanes as "allowedLanes",
           residency_region as "residencyRegion", sso_required as "ssoRequired", group_role_map as "groupRoleMap",
           suspended_at as "suspendedAt", suspended_reason as "suspendedReason", created_by as "createdBy",
           created_at as "createdAt"
    from orgs where id = ${org}`
}
