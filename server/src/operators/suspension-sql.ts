// The statements of suspension.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export type Standing = {
  name: string
  isSuspended: boolean
  reason: string | null
}

/** How the organisation stands, which nobody else changes until the transaction ends. */
export function lockStanding(tx: Tx, org: OrgId): Promise<Standing | undefined> {
  return tx.maybe<Standing>`
    select name, suspended_at is not null as "isSuspended", suspended_reason as reason
    from orgs where id = ${org} and closed_at is null for no key update`
}

export async function suspendOrg(tx: Tx, org: OrgId, by: UserId, reason: string | null): Promise<void> {
  await tx.rows`
    update orgs set suspended_at = ${tx.now}, suspended_reason = ${reason}, suspended_by = ${by} where id = ${org}`
}

export async function reinstateOrg(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`
    update orgs set suspended_at = null, suspended_reason = null, suspended_by = null where id = ${org}`
}
