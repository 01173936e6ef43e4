// SQL of usage statistics. Without an organisation all are summed, which needs the platform scope. Sealed days come from
// their sums, the rest from single points.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Parts, Span } from './span.ts'

/** `turns` is the number of metered model turns. */
export type UsageTotals = { costMinor: bigint; tokens: bigint; turns: bigint }
export type LaneUsage = UsageTotals & { currency: Currency; lane: 'open' | 'frontier' }
export type UsageCell = LaneUsage & { day: string; source: string }

/**
 * By currency and lane. Usage has its full price, whether a wallet or an allowance paid for it. Grouped by currency in one
 * step: grouping by organisation first would give nearly as many groups as rows.
 */
export function byLane(tx: Tx, org: OrgId | null, { before, days, after }: Parts): Promise<LaneUsage[]> {
  return tx.rows<LaneUsage>`
    with used as (
      select org_id, lane, tokens, cost_minor as cost, points as turns from usage_days
      where (${org}::text is null or org_id = ${org}) and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select org_id, lane, tokens, cost_minor, 1 from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${before.from} and at < ${before.to}
      union all
      select org_id, lane, tokens, cost_minor, 1 from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${after.from} and at < ${after.to})
    select o.currency, u.lane, sum(u.tokens)::bigint as tokens, sum(u.cost)::bigint as "costMinor", sum(u.turns)::bigint as turns
    from used u join org_profiles o on o.id = u.org_id group by o.currency, u.lane order by o.currency, u.lane`
}

/** By currency, day in UTC, lane and source. */
export function byCell(tx: Tx, org: OrgId | null, { before, days, after }: Parts): Promise<UsageCell[]> {
  return tx.rows<UsageCell>`
    with used as (
      select org_id, day, lane, source, tokens, cost_minor as cost, points as turns from usage_days
      where (${org}::text is null or org_id = ${org}) and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select org_id, (at at time zone 'UTC')::date, lane, source, tokens, cost_minor, 1 from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${before.from} and at < ${before.to}
      union all
      select org_id, (at at time zone 'UTC')::date, lane, source, tokens, cost_minor, 1 from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${after.from} and at < ${after.to})
    select o.currency, to_char(u.day, 'YYYY-MM-DD') as day, u.lane, u.source, sum(u.tokens)::bigint as tokens,
           sum(u.cost)::bigint as "costMinor", sum(u.turns)::bigint as turns
    from used u join org_profiles o on o.id = u.org_id
    group by o.currency, u.day, u.lane, u.source order by u.day, u.lane, u.source, o.currency`
}

/** By model, most tokens first. Daily sums have no model, so all points of the period are read. */
export function byModel(tx: Tx, org: OrgId | null, { from, to }: Span, most: number) {
  return tx.rows<UsageTotals & { currency: Currency; model: string }>`
    with used as (
      select o.currency, p.model, sum(p.tokens) as tokens, sum(p.cost_minor) as cost, count(*) as turns
      from usage_points p join org_profiles o on o.id = p.org_id
      where (${org}::text is null or p.org_id = ${org}) and p.at >= ${from} and p.at < ${to} group by o.currency, p.model),
    largest as (select model, sum(tokens) as tokens from used group by model order by sum(tokens) desc, model limit ${most})
    select u.currency, u.model, u.tokens::bigint as tokens, u.cost::bigint as "costMinor", u.turns
    from used u join largest l on l.model = u.model order by l.tokens desc, u.model, u.currency`
}

/** By member, highest cost first. The user is null for usage without a member. */
export function byMember(tx: Tx, org: OrgId, { before, days, after }: Parts, most: number) {
  return tx.rows<UsageTotals & { userId: UserId | null; email: string | null }>`
    with used as (
      select user_id, tokens, cost_minor as cost, points as turns from usage_days
      where org_id = ${org} and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select user_id, tokens, cost_minor, 1 from usage_points where org_id = ${org} and at >= ${before.from} and at < ${before.to}
      union all
      select user_id, tokens, cost_minor, 1 from usage_points where org_id = ${org} and at >= ${after.from} and at < ${after.to}),
    spent as (
      select user_id, sum(tokens)::bigint as tokens, sum(cost)::bigint as cost, sum(turns)::bigint as turns
      from used group by user_id order by cost desc, user_id limit ${most})
    select s.user_id as "userId", u.email, s.tokens, s.cost as "costMinor", s.turns
    from spent s left join user_profiles u on u.id = s.user_id order by s.cost desc, s.user_id`
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)
