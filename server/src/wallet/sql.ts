// What wallets say, read back.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'

export type WalletRow = {
  balanceMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  includedHeldMinor: bigint
  currency: Currency
}

/** One round trip, in a transaction or without one. */
export function wallet(sql: Sql, org: OrgId): Promise<WalletRow> {
  return sql.one<WalletRow>`
    select balance_minor as "balanceMinor", held_minor as "heldMinor", included_minor as "includedMinor",
           included_held_minor as "includedHeldMinor", currency
    from wallet_balances(${org})`
}

/** What is held under a name, while it is. */
export function openHold(tx: Tx, org: OrgId, ref: string): Promise<{ holdId: `hld_${string}` } | undefined> {
  return tx.maybe<{ holdId: `hld_${string}` }>`
    select id as "holdId" from holds where org_id = ${org} and ref = ${ref} and state = 'open'`
}

export type DueHold = { orgId: OrgId; holdId: `hld_${string}` }

/** Open holds beyond their deadline, the oldest first. */
export function dueHolds(tx: Tx, most: number): Promise<DueHold[]> {
  return tx.rows<DueHold>`
    select org_id as "orgId", id as "holdId" from holds
    where state = 'open' and deadline <= ${tx.now} order by deadline limit ${most}`
}

export type MemberCap = { readonly capMinor: bigint; readonly leftMinor: bigint }

/** A member's cap, and what it leaves of this month; null without one. */
export async function readMemberCap(tx: Tx, org: OrgId, user: UserId): Promise<MemberCap | null> {
  const row = await tx.maybe<MemberCap>`
    select m.seat_cap_minor as "capMinor",
           greatest(m.seat_cap_minor - coalesce(s.spent_minor + s.held_minor, 0), 0)::bigint as "leftMinor"
    from org_members m
    left join member_months s on s.org_id = m.org_id and s.user_id = m.user_id
      and s.month = date_trunc('month', ${tx.now}::timestamptz at time zone 'UTC')::date
    where m.org_id = ${org} and m.user_id = ${user} and m.seat_cap_minor is not null`
  return row ?? null
}

/** What a member's cap of this month leaves; null without a cap. */
export const capRoom = async (tx: Tx, org: OrgId, user: UserId): Promise<bigint | null> =>
  (await readMemberCap(tx, org, user))?.leftMinor ?? null

export async function lock(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`select wallet_lock(${org})`
}
