// What metrics ask about organisations and people themselves. Figures come from the capabilities that keep them.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'

/**
 * The same statements are about one organisation or about all. A plan that was made for both would read everything for one,
 * so each is planned for what it is about. It holds for the rest of the transaction, which changes nothing.
 */
export async function prepareToRead(tx: Tx): Promise<void> {
  await tx.rows`
    select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('transaction_read_only', 'on', true)`
}

/** Staff wait for figures of the fleet on a busy day rather than being refused them. */
export async function allowSlowSums(tx: Tx): Promise<void> {
  await tx.rows`select set_config('statement_timeout', '20s', true)`
}

export async function currencyOf(tx: Tx, org: OrgId): Promise<Currency | undefined> {
  const row = await tx.maybe<{ currency: Currency }>`select currency from orgs where id = ${org}`
  return row?.currency
}

export type OrgStanding = {
  name: string
  tier: string
  plan: string | null
  subscriptionStatus: string | null
  suspended: boolean
  kycStatus: string
  members: number
  createdAt: Date
}

export function standingOf(tx: Tx, org: OrgId): Promise<OrgStanding> {
  return tx.one<OrgStanding>`
    select o.name, o.tier, o.plan_code as plan, o.subscription_status as "subscriptionStatus",
           o.suspended_at is not null as suspended, o.kyc_status as "kycStatus", o.created_at as "createdAt",
           (select count(*)::int from memberships m where m.org_id = o.id) as members
    from orgs o where o.id = ${org}`
}

export type FleetCounts = {
  orgs: bigint
  suspendedOrgs: bigint
  closedOrgs: bigint
  kycPending: bigint
  users: bigint
}

/** Needs the reach of the platform. Organisations that were closed are counted as that and as nothing else. */
export function fleetCounts(tx: Tx): Promise<FleetCounts> {
  return tx.one<FleetCounts>`
    select count(*) filter (where closed_at is null) as orgs,
           count(*) filter (where closed_at is null and suspended_at is not null) as "suspendedOrgs",
           count(*) filter (where closed_at is not null) as "closedOrgs",
           count(*) filter (where closed_at is null and kyc_status = 'pending') as "kycPending",
           (select count(*) from users) as users
    from orgs`
}

export type OrgName = { orgId: OrgId; name: string; tier: string; plan: string | null; suspended: boolean }

/** Needs the reach of the platform. */
export function namesOf(tx: Tx, orgs: readonly OrgId[]): Promise<OrgName[]> {
  return tx.rows<OrgName>`
    select id as "orgId", name, tier, plan_code as plan, suspended_at is not null as suspended
    from orgs where id = any (${orgs}::text[])`
}
