// SQL of usage.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { Parts, Span } from './span.ts'

export type UsageCost = { costMinor: bigint; tokens: bigint }
export type Point = UsageCost & {
  at: Date
  lane: string
  model: string
  source: string
  exactCost: string | null
}

/**
 * Reads the index backwards, and only as far as needed. By default the planner underestimates the points of heavy users and
 * sorts them all. The setting applies to the rest of the transaction.
 */
export async function newestPoints(tx: Tx, org: OrgId, user: UserId, { from, to }: Span, most: number) {
  await tx.rows`select set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`
  return tx.rows<Point>`
    select at, lane, model, source, tokens, cost_minor as "costMinor", exact_cost::text as "exactCost" from usage_points
    where org_id = ${org} and user_id = ${user} and at >= ${from} and at < ${to}
    order by at desc, id desc limit ${most}`
}

export type Sum = UsageCost & { lane: string | null; source: string | null; day: string | null }

/** Sums by lane, by source, by day, and in total. In the total row all three are null. */
export function sums(tx: Tx, org: OrgId, user: UserId, { before, days, after }: Parts) {
  return tx.rows<Sum>`
    with used as (
      select lane, source, day, cost_minor, tokens from usage_days
      where org_id = ${org} and user_id = ${user} and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select lane, source, (at at time zone 'UTC')::date, cost_minor, tokens from usage_points
      where org_id = ${org} and user_id = ${user} and at >= ${before.from} and at < ${before.to}
      union all
      select lane, source, (at at time zone 'UTC')::date, cost_minor, tokens from usage_points
      where org_id = ${org} and user_id = ${user} and at >= ${after.from} and at < ${after.to})
    select lane, source, to_char(day, 'YYYY-MM-DD') as day,
           coalesce(sum(cost_minor), 0)::bigint as "costMinor", coalesce(sum(tokens), 0)::bigint as tokens
    from used group by grouping sets ((lane), (source), (day), ())
    order by lane, source, day`
}

export type MemberUsage = {
  userId: UserId
  email: string
  seatCapMinor: bigint | null
  joinedAt: Date
  monthMinor: bigint
}

export function membersUsage(
  tx: Tx,
  org: OrgId,
  { before, days, after }: Parts,
  place: TimeCursor,
  limit: number,
) {
  return tx.rows<MemberUsage>`
    with used as (
      select user_id, cost_minor from usage_days
      where org_id = ${org} and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select user_id, cost_minor from usage_points where org_id = ${org} and at >= ${before.from} and at < ${before.to}
      union all
      select user_id, cost_minor from usage_points where org_id = ${org} and at >= ${after.from} and at < ${after.to}),
    spent as (select user_id, sum(cost_minor)::bigint as minor from used group by user_id)
    select m.user_id as "userId", u.email, m.seat_cap_minor as "seatCapMinor", m.created_at as "joinedAt",
           coalesce(spent.minor, 0) as "monthMinor"
    from org_members m join user_profiles u on u.id = m.user_id left join spent on spent.user_id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${place.at}, ${place.id})
    order by m.created_at, m.user_id limit ${limit}`
}

export async function totalOf(tx: Tx, org: OrgId, { before, days, after }: Parts): Promise<bigint> {
  const { total } = await tx.one<{ total: bigint }>`
    select coalesce(sum(cost_minor), 0)::bigint as total
    from (select cost_minor from usage_days
          where org_id = ${org} and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
          union all
          select cost_minor from usage_points where org_id = ${org} and at >= ${before.from} and at < ${before.to}
          union all
          select cost_minor from usage_points where org_id = ${org} and at >= ${after.from} and at < ${after.to}) used`
  return total
}

/** The tokens of all organisations since an instant, by lane. */
export function tokensByLane(tx: Tx, since: Date) {
  return tx.rows<{ lane: string; tokens: bigint }>`
    select lane, sum(tokens)::bigint as tokens from usage_points where at >= ${since} group by lane`
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)
