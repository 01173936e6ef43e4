// Sums of the ledger over a time range, of one organisation or of all. Sums of all need the tenant scope `platform`. They
// read each organisation through the index on time, so that the cost does not grow with the age of the ledger.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** `from` is inclusive, `to` exclusive. */
type TimeRange = { readonly from: Date; readonly to: Date }

/** In minor units of the currency. All figures cover the time range, except the money held in wallets now. */
export type MoneyFigures = {
  currency: Currency
  /** Usage paid from wallets, less returned charges. */
  usageMinor: bigint
  /** Credited payments, less reversals by providers. */
  creditedMinor: bigint
  /** Credits without a payment: by staff, and trial credit less its expired part. */
  grantedMinor: bigint
  /** Plans paid from wallets, less refunds. Payments for plans pass through the wallet. */
  subscriptionMinor: bigint
  /** The number of organisations that paid for usage or plans, and the sum that they paid. */
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
             coalesce(sum(free_minor + held_minor) filter (where source in ('refund', 'adjustment', 'trial')), 0) as granted,
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

/** The same by interval, in UTC; weeks begin on Monday. Intervals without a posting are omitted. */
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
             coalesce(sum(free_minor + held_minor) filter (where source in ('refund', 'adjustment', 'trial')), 0) as granted,
             coalesce(-sum(free_minor + held_minor) filter (where account = 'subscriptions'), 0) as subscription
      from movements
      where org_id = w.org_id and created_at >= ${from} and created_at < ${to} and free_minor + held_minor <> 0
      group by 1) m
    where ${org}::text is null or w.org_id = ${org}
    group by w.currency, m.at order by m.at`
}

/** Usage paid from allowances, by interval. */
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
  /** The balances of closed organisations. The other figures exclude them. */
  forfeitedMinor: bigint
}

/** Usage paid from allowances in the time range, and the current wallet totals. `balanceMinor` includes held money. */
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
