// SQL of usage over time, and of active users. Without an organisation all are counted, which needs the platform scope.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Parts } from './span.ts'

export type Interval = 'hour' | 'day' | 'week' | 'month'

/** By interval in UTC. Weeks start on Monday. Intervals without usage are omitted. */
export type UsagePoint = { at: Date; tokens: bigint; turns: bigint }
export type ActivePoint = { at: Date; activeOrgs: bigint; activeUsers: bigint }

/** For hours, `days` must be empty, because daily sums have no hours. */
export function usageSeries(
  tx: Tx,
  org: OrgId | null,
  { before, days, after }: Parts,
  interval: Interval,
): Promise<UsagePoint[]> {
  return tx.rows<UsagePoint>`
    with used as (
      select day::timestamp as at, tokens, points as turns from usage_days
      where (${org}::text is null or org_id = ${org}) and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select at at time zone 'UTC', tokens, 1 from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${before.from} and at < ${before.to}
      union all
      select at at time zone 'UTC', tokens, 1 from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${after.from} and at < ${after.to})
    select begun at time zone 'UTC' as at, tokens, turns
    from (select date_trunc(${interval}::text, at) as begun, sum(tokens)::bigint as tokens, sum(turns)::bigint as turns
          from used group by 1) summed
    order by begun`
}

/** The number of active organisations and users. Counts distinct lists, which needs no sort. */
export function activeSeries(
  tx: Tx,
  org: OrgId | null,
  { before, days, after }: Parts,
  interval: Interval,
): Promise<ActivePoint[]> {
  return tx.rows<ActivePoint>`
    with used as (
      select distinct org_id, user_id, date_trunc(${interval}::text, at) as at
      from (select org_id, user_id, day::timestamp as at from usage_days
            where (${org}::text is null or org_id = ${org})
              and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
            union all
            select org_id, user_id, at at time zone 'UTC' from usage_points
            where (${org}::text is null or org_id = ${org}) and at >= ${before.from} and at < ${before.to}
            union all
            select org_id, user_id, at at time zone 'UTC' from usage_points
            where (${org}::text is null or org_id = ${org}) and at >= ${after.from} and at < ${after.to}) each),
    in_orgs as (select at, count(*) as n from (select distinct at, org_id from used) o group by at),
    by_users as (select at, count(*) as n from (select distinct at, user_id from used where user_id is not null) u group by at)
    select o.at at time zone 'UTC' as at, o.n as "activeOrgs", coalesce(u.n, 0) as "activeUsers"
    from in_orgs o left join by_users u on u.at = o.at order by o.at`
}

/** The same over the whole period. */
export function activeIn(tx: Tx, org: OrgId | null, { before, days, after }: Parts) {
  return tx.one<{ orgs: bigint; users: bigint }>`
    with used as (
      select org_id, user_id from usage_days
      where (${org}::text is null or org_id = ${org}) and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union
      select org_id, user_id from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${before.from} and at < ${before.to}
      union
      select org_id, user_id from usage_points
      where (${org}::text is null or org_id = ${org}) and at >= ${after.from} and at < ${after.to})
    select (select count(*) from (select distinct org_id from used) o) as orgs,
           (select count(*) from (select distinct user_id from used where user_id is not null) u) as users`
}

export type LastUse = { orgId: OrgId; lastActiveAt: Date | null }

/** All organisations by their last usage, latest first, from a cursor. Those without usage come last. */
export function rankByLastUse(tx: Tx, place: { at: Date; orgId: string }, limit: number): Promise<LastUse[]> {
  return tx.rows<LastUse>`
    with ranked as (
      select o.org_id as id, coalesce(last.at, 'epoch') as at, last.at as used_at from wallet_orgs o left join lateral (
        select date_trunc('milliseconds', p.at) as at from usage_points p where p.org_id = o.org_id order by p.at desc limit 1)
        last on true)
    select id as "orgId", used_at as "lastActiveAt" from ranked
    where at < ${place.at} or (at = ${place.at} and id > ${place.orgId}) order by at desc, id limit ${limit}`
}

export function lastUseOf(tx: Tx, orgs: readonly OrgId[]): Promise<LastUse[]> {
  return tx.rows<LastUse>`
    select o.org_id as "orgId", last.at as "lastActiveAt" from wallet_orgs o left join lateral (
      select p.at from usage_points p where p.org_id = o.org_id order by p.at desc limit 1) last on true
    where o.org_id = any (${orgs}::text[])`
}

export function tokensOf(tx: Tx, orgs: readonly OrgId[], { before, days, after }: Parts) {
  return tx.rows<{ orgId: OrgId; tokens: bigint }>`
    with used as (
      select org_id, tokens from usage_days
      where org_id = any (${orgs}::text[]) and day >= ${dayOf(days.from)}::date and day < ${dayOf(days.to)}::date
      union all
      select org_id, tokens from usage_points
      where org_id = any (${orgs}::text[]) and at >= ${before.from} and at < ${before.to}
      union all
      select org_id, tokens from usage_points
      where org_id = any (${orgs}::text[]) and at >= ${after.from} and at < ${after.to})
    select org_id as "orgId", sum(tokens)::bigint as tokens from used group by org_id`
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)
