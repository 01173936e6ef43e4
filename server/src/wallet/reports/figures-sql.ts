// What the ledger says about a time, summed for figures. Without an organisation all are summed, each by its own stretch of
// the index, which needs the reach of the platform: however old the ledger is, only the time asked for is read.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** From an instant up to and without another. */
type TimeRange = { readonly from: Date; readonly to: Date }

/** In a currency's own minor units. All but what is held in wallets is of the time asked for. */
export type MoneyFigures = {
  currency: Currency
  /** What was spent of wallets on use, less what came back of it. */
  usageMinor: bigint
  /** What payments brought in, less what providers took back of it. */
  creditedMinor: bigint
  /** What staff gave: credits without cash. */
  grantedMinor: bigint
  /** What was paid for plans out of wallets, less what came back of it. Payments for plans pass through the wallet. */
  subscriptionMinor: bigint
  /** How many organisations paid for use or plans, and what these paid. */
  payingOrgs: bigint
  earnedMinor: bigint
}

export function moneyFigures(tx: Tx, org: OrgId | null, { from, to }: TimeRange): Promise<MoneyFigures[]> {
  return tx.rows<MoneyFigures>`
    select w.currency, sum(m.usage)::bigint as "usageMinor", sum(m.credited)::bigint as "creditedMinor",
           sum(m.granted)::bigint as "grantedMinor", sum(m.subscription)::bigint as "subscriptionMinor",
           count(*) filter (where m.usage + m.subscription > 0) as "payingOrgs",
           coalesce(sum(m.usage + m.subscription) filter (where m.usage + m.subscription > 0), 0)::bigint as "earnedMinor"
    from wallets w cross join lateral (
      select coalesce(-sum(free_minor + held_minor) filter (
               where source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')), 0) as usage,
             coalesce(sum(free_minor + held_minor) filter (
               where account like 'clearing:%' or account = 'reversals'), 0) as credited,
             coalesce(sum(free_minor + held_minor) filter (where source in ('refund', 'adjustment')), 0) as granted,
             coalesce(-sum(free_minor + held_minor) filter (where account = 'subscriptions'), 0) as subscription
      from movements
      where org_id = w.org_id and created_at >= ${from} and created_at < ${to} and free_minor + held_minor <> 0) m
    where ${org}::text is null or w.org_id = ${org}
    group by w.currency order by w.currency`
}

export type MoneyPoint = Pick<
  MoneyFigures,
  'currency' | 'usageMinor' | 'creditedMinor' | 'grantedMinor' | 'subscriptionMinor'
> & { at: Date }

/** The same by interval, in UTC; weeks begin on Monday. Intervals without any movement are left out. */
export function moneySeries(
  tx: Tx,
  org: OrgId | null,
  { from, to }: TimeRange,
  interval: 'hour' | 'day' | 'week' | 'month',
): Promise<MoneyPoint[]> {
  return tx.rows<MoneyPoint>`
    select w.currency, m.at, sum(m.usage)::bigint as "usageMinor", sum(m.credited)::bigint as "creditedMinor",
           sum(m.granted)::bigint as "grantedMinor", sum(m.subscription)::bigint as "subscriptionMinor"
    from wallets w cross join lateral (
      select date_trunc(${interval}::text, created_at at time zone 'UTC') at time zone 'UTC' as at,
             coalesce(-sum(free_minor + held_minor) filter (
               where source in ('agent', 'chat', 'index', 'research', 'review', 'gateway')), 0) as usage,
             coalesce(sum(free_minor + held_minor) filter (
               where account like 'clearing:%' or account = 'reversals'), 0) as credited,
             coalesce(sum(free_minor + held_minor) filter (where source in ('refund', 'adjustment')), 0) as granted,
             coalesce(-sum(free_minor + held_minor) filter (where account = 'subscriptions'), 0) as subscription
      from movements
      where org_id = w.org_id and created_at >= ${from} and created_at < ${to} and free_minor + held_minor <> 0
      group by 1) m
    where ${org}::text is null or w.org_id = ${org}
    group by w.currency, m.at order by m.at`
}

/** What allowances paid of use, by interval. */
export function allowanceSeries(
  tx: Tx,
  org: OrgId | null,
  { from, to }: TimeRange,
  interval: 'hour' | 'day' | 'week' | 'month',
): Promise<{ currency: Currency; at: Date; allowanceMinor: bigint }[]> {
  return tx.rows<{ currency: Currency; at: Date; allowanceMinor: bigint }>`
    select w.currency, h.at, sum(h.paid)::bigint as "allowanceMinor"
    from wallets w cross join lateral (
      select date_trunc(${interval}::text, ended_at at time zone 'UTC') at time zone 'UTC' as at,
             sum(charged_included_minor) as paid
      from holds
      where org_id = w.org_id and ended_at >= ${from} and ended_at < ${to} and charged_included_minor > 0
      group by 1) h
    where ${org}::text is null or w.org_id = ${org}
    group by w.currency, h.at order by h.at`
}

export type WalletFigures = {
  currency: Currency
  allowanceMinor: bigint
  balanceMinor: bigint
  heldMinor: bigint
  includedMinor: bigint
  /** What is left in wallets of organisations that were closed; in none of the others. */
  forfeitedMinor: bigint
}

/** What allowances paid of use in a time, and what wallets hold now: `balanceMinor` with what is held of it. */
export function walletFigures(tx: Tx, org: OrgId | null, { from, to }: TimeRange): Promise<WalletFigures[]> {
  return tx.rows<WalletFigures>`
    select w.currency, sum(h.paid)::bigint as "allowanceMinor",
           coalesce(sum(w.balance_minor) filter (where o.closed_at is null), 0)::bigint as "balanceMinor",
           coalesce(sum(w.held_minor) filter (where o.closed_at is null), 0)::bigint as "heldMinor",
           coalesce(sum(w.included_minor) filter (where o.closed_at is null), 0)::bigint as "includedMinor",
           coalesce(sum(w.balance_minor) filter (where o.closed_at is not null), 0)::bigint as "forfeitedMinor"
    from wallets w join org_profiles o on o.id = w.org_id cross join lateral (
      select coalesce(sum(charged_included_minor), 0) as paid from holds
      where org_id = w.org_id and ended_at >= ${from} and ended_at < ${to} and charged_included_minor > 0) h
    where ${org}::text is null or w.org_id = ${org}
    group by w.currency order by w.currency`
}
