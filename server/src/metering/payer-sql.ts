// The current state of the organisation that pays for background work.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'

export type Payer = Actor['org']

/** Background work has no actor to take the organisation from. */
export async function payerOf(tx: Tx, org: OrgId): Promise<Payer | undefined> {
  return tx.maybe<Payer>`
    select name, type, tier, currency, suspended_at is not null as suspended, kyc_status as "kycStatus",
           allowed_lanes as "allowedLanes", plan_code as plan, null as "subscriptionStatus",
           residency_region as "residencyRegion"
    from orgs where id = ${org}`
}
