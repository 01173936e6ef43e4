// Computes every figure independently from the rows: revenue from the revenue side of the ledger, cash from payments,
// allowances as usage cost minus revenue, and prices from literal numbers.
import type { Sql } from '@cowrie/server/src/platform/db/tx.ts'

export type RecountedFigures = {
  currency: string
  mrrMinor: bigint
  allowanceUsedMinor: bigint
  netCreditedMinor: bigint
  grantedMinor: bigint
  subscriptionPaidMinor: bigint
  subscriptionMrrMinor: bigint
  activeSubscriptions: bigint
  pastDueMrrMinor: bigint
  pastDueSubscriptions: bigint
  floatMinor: bigint
  forfeitedMinor: bigint
  payingOrgs: bigint
  earnedMinor: bigint
  openTokens: bigint
  openMinor: bigint
  frontierTokens: bigint
  frontierMinor: bigint
}

/** One minor unit is `denominator` ÷ `numerator` kobo, as on the rate card 2026-11. */
export const RATES = {
  NGN: { numerator: 1n, denominator: 1n },
  KES: { numerator: 89n, denominator: 1_000n },
  GHS: { numerator: 79n, denominator: 10_000n },
} as const

/** By currency, for one organisation or for all. */
export function recount(
  sql: Sql,
  from: Date,
  to: Date,
  org: string | null = null,
): Promise<RecountedFigures[]> {
  return sql.rows<RecountedFigures>`
    with rates(currency, numerator, denominator) as (
      values ('NGN', 1, 1), ('KES', 89, 1000), ('GHS', 79, 10000)),
    prices(plan, kobo, seat_kobo, seats) as (
      values ('free', 0, 0, 1), ('pro', 950000, 0, 1), ('team', 3200000, 600000, 5)),
    each_org as (select id, currency, closed_at from orgs where id = ${org} or ${org}::text is null),
    ledger as (
      select o.currency, m.org_id,
             coalesce(sum(m.revenue_minor) filter (where w.inside), 0) as revenue,
             coalesce(sum(m.account_minor) filter (where w.inside and m.account = 'subscriptions'), 0) as plans,
             coalesce(sum(m.account_minor) filter (where w.inside and m.account = 'reversals'), 0) as reversed,
             coalesce(sum(m.free_minor + m.held_minor) filter (where o.closed_at is null), 0) as left_over,
             coalesce(sum(m.free_minor + m.held_minor) filter (where o.closed_at is not null), 0) as given_up
      from movements m join each_org o on o.id = m.org_id
      cross join lateral (select m.created_at >= ${from} and m.created_at < ${to} as inside) w
      group by o.currency, m.org_id),
    money as (
      select currency, sum(revenue) as revenue, sum(plans) as plans, sum(reversed) as reversed, sum(left_over) as left_over,
             sum(given_up) as given_up,
             count(*) filter (where revenue + plans > 0) as paying,
             coalesce(sum(revenue + plans) filter (where revenue + plans > 0), 0) as earned
      from ledger group by currency),
    cash as (
      select o.currency, sum(p.captured_minor) as captured from payments p join each_org o on o.id = p.org_id
      where p.settled_at >= ${from} and p.settled_at < ${to} group by o.currency),
    gifts as (
      select o.currency, sum(r.amount_minor) as given from wallet_refunds r join each_org o on o.id = r.org_id
      where r.created_at >= ${from} and r.created_at < ${to} group by o.currency),
    used as (
      select o.currency, sum(u.cost_minor) as cost,
             sum(case u.lane when 'open' then u.tokens else 0 end) as open_tokens,
             sum(case u.lane when 'open' then u.cost_minor else 0 end) as open_cost,
             sum(case u.lane when 'frontier' then u.tokens else 0 end) as frontier_tokens,
             sum(case u.lane when 'frontier' then u.cost_minor else 0 end) as frontier_cost
      from usage_points u join each_org o on o.id = u.org_id
      where u.at >= ${from} and u.at < ${to} group by o.currency),
    worth as (
      select o.currency, s.status,
             case s.interval
               when 'month' then ceil(p.kobo * r.numerator / r.denominator::numeric)
                 + greatest(s.seats - p.seats, 0) * ceil(p.seat_kobo * r.numerator / r.denominator::numeric)
               else round((ceil(p.kobo * r.numerator / r.denominator::numeric)
                 + greatest(s.seats - p.seats, 0) * ceil(p.seat_kobo * r.numerator / r.denominator::numeric)) * 10 / 12)
             end as monthly
      from subscriptions s join each_org o on o.id = s.org_id join prices p on p.plan = s.plan_code
      join rates r on r.currency = s.currency
      where s.ended_at is null and s.status <> 'incomplete' and not s.is_comped and p.kobo > 0),
    plans as (
      select currency, sum(monthly) filter (where status = 'active') as active_worth,
             count(*) filter (where status = 'active') as active,
             sum(monthly) filter (where status = 'past_due') as past_due_worth,
             count(*) filter (where status = 'past_due') as past_due
      from worth group by currency)
    select c.currency, coalesce(m.revenue, 0)::bigint as "mrrMinor",
           (coalesce(u.cost, 0) - coalesce(m.revenue, 0))::bigint as "allowanceUsedMinor",
           (coalesce(k.captured, 0) - coalesce(m.reversed, 0))::bigint as "netCreditedMinor",
           coalesce(g.given, 0)::bigint as "grantedMinor", coalesce(m.plans, 0)::bigint as "subscriptionPaidMinor",
           coalesce(p.active_worth, 0)::bigint as "subscriptionMrrMinor", coalesce(p.active, 0) as "activeSubscriptions",
           coalesce(p.past_due_worth, 0)::bigint as "pastDueMrrMinor", coalesce(p.past_due, 0) as "pastDueSubscriptions",
           coalesce(m.left_over, 0)::bigint as "floatMinor", coalesce(m.given_up, 0)::bigint as "forfeitedMinor",
           coalesce(m.paying, 0) as "payingOrgs",
           coalesce(m.earned, 0)::bigint as "earnedMinor",
           coalesce(u.open_tokens, 0)::bigint as "openTokens", coalesce(u.open_cost, 0)::bigint as "openMinor",
           coalesce(u.frontier_tokens, 0)::bigint as "frontierTokens", coalesce(u.frontier_cost, 0)::bigint as "frontierMinor"
    from (select distinct currency from each_org) c
    left join money m on m.currency = c.currency left join cash k on k.currency = c.currency
    left join gifts g on g.currency = c.currency left join used u on u.currency = c.currency
    left join plans p on p.currency = c.currency
    order by c.currency`
}
