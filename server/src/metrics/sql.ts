// Session settings for metrics, and names of organisations. Figures come from the modules that own them.
import type { OrgId } from '../kernel/ids.ts'
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

export type OrgName = { orgId: OrgId; name: string; tier: string; plan: string | null; suspended: boolean }

/** Needs the reach of the platform. */
export function namesOf(tx: Tx, orgs: readonly OrgId[]): Promise<OrgName[]> {
  return tx.rows<OrgName>`
    select id as "orgId", name, tier, plan_code as plan, suspended_at is not null as suspended
    from org_profiles where id = any (${orgs}::text[])`
}
