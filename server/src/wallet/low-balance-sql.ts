// Thresholds, the wallets that fell below theirs, and who is told.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'

export type Threshold = { thresholdMinor: bigint | null; currency: Currency }

/** Null follows the platform's setting. */
export function thresholdOf(tx: Tx, org: OrgId): Promise<Threshold> {
  return tx.one<Threshold>`
    select low_threshold_minor as "thresholdMinor", currency from wallets where org_id = ${org}`
}

export async function setThreshold(
  tx: Tx,
  org: OrgId,
  minor: bigint,
  lowDefaultMinor: bigint,
): Promise<void> {
  await tx.rows`select wallet_set_threshold(${org}, ${minor}, ${lowDefaultMinor})`
}

export type Crossing = {
  orgId: OrgId
  currency: Currency
  balanceMinor: bigint
  thresholdMinor: bigint | null
}

/** Crossings that wait for their mail. They count as told when the transaction commits. */
export function takeCrossings(tx: Tx, most: number): Promise<Crossing[]> {
  return tx.rows<Crossing>`
    select org_id as "orgId", currency, balance_minor as "balanceMinor", threshold_minor as "thresholdMinor"
    from wallet_take_crossings(${most})`
}

export type Told = { orgId: OrgId; orgName: string; email: string }

/** Owners and admins of these organisations who have confirmed their address; owners first, at most so many of each. */
export function toldOf(tx: Tx, orgs: readonly OrgId[], mostEach: number): Promise<Told[]> {
  return tx.rows<Told>`
    select t.org_id as "orgId", t.name as "orgName", t.email
    from (select m.org_id, o.name, u.email,
                 row_number() over (partition by m.org_id order by m.role <> 'owner', m.created_at, m.user_id) as place
          from memberships m join users u on u.id = m.user_id join orgs o on o.id = m.org_id
          where m.org_id = any(${[...orgs]}::text[]) and m.role in ('owner', 'admin') and u.verified_at is not null) t
    where t.place <= ${mostEach} order by t.org_id, t.place`
}
