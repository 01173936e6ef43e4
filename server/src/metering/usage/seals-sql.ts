// SQL of daily sums. All statements except the first need the platform scope.
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { CheckFinding } from '../../wallet/wallet.ts'
import type { Span } from './span.ts'

/** The end of the last sealed day; null when there is none. */
export async function sealedUntil(tx: Tx): Promise<Date | null> {
  const { at } = await tx.one<{ at: Date | null }>`
    select (max(day) + 1)::timestamp at time zone 'UTC' as at from usage_seals`
  return at
}

/** Takes the sealing lock for this transaction and sets its timeout. Returns false without waiting when it is taken. */
export async function beginSealing(tx: Tx, timeoutMs: number): Promise<boolean> {
  const { mine } = await tx.one<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('metering.seal', 0)) as mine,
           set_config('statement_timeout', ${String(timeoutMs)}, true)`
  return mine
}

/** Reads the whole table. Called only before the first day is sealed. */
export async function firstPointAt(tx: Tx): Promise<Date | null> {
  const { at } = await tx.one<{ at: Date | null }>`select min(at) as at from usage_points`
  return at
}

/** One statement, so that sums and seals are consistent. Returns the number of days. */
export async function sealDays(tx: Tx, { from, to }: Span): Promise<number> {
  const { days } = await tx.one<{ days: number }>`
    with summed as (
      insert into usage_days (org_id, user_id, day, lane, source, tokens, cost_minor, points)
      select org_id, user_id, (at at time zone 'UTC')::date, lane, source, sum(tokens), sum(cost_minor), count(*)
      from usage_points where at >= ${from} and at < ${to} group by 1, 2, 3, 4, 5
      returning day, points),
    counted as (select day, sum(points) as points from summed group by day),
    sealed as (
      insert into usage_seals (day, points, sealed_at)
      select each.day::date, coalesce(counted.points, 0), ${tx.now}
      from generate_series(${from}::timestamptz at time zone 'UTC', ${to}::timestamptz at time zone 'UTC' - interval '1 day',
                           interval '1 day') each(day)
      left join counted on counted.day = each.day
      returning day)
    select count(*)::int as days from sealed`
  return days
}

/** Recently sealed days that have more points now. Points never change or disappear, so comparing counts is enough. */
export async function changedDays(tx: Tx, most: number): Promise<Span[]> {
  const sealed = await tx.rows<Span & { points: bigint }>`
    select day::timestamp at time zone 'UTC' as from, (day + 1)::timestamp at time zone 'UTC' as to, points
    from usage_seals order by day desc limit ${most}`
  const [last, first] = [sealed[0], sealed.at(-1)]
  if (!first || !last) return []
  const counts = await tx.rows<{ from: Date; points: bigint }>`
    select date_trunc('day', at at time zone 'UTC') at time zone 'UTC' as from, count(*) as points
    from usage_points where at >= ${first.from} and at < ${last.to} group by 1`
  const now = new Map(counts.map(({ from, points }) => [from.getTime(), points]))
  return sealed
    .filter(({ from, points }) => points !== (now.get(from.getTime()) ?? 0n))
    .map(({ from, to }) => ({ from, to }))
    .reverse()
}

export async function unsealDay(tx: Tx, { from }: Span): Promise<void> {
  await tx.rows`delete from usage_days where day = (${from}::timestamptz at time zone 'UTC')::date`
  await tx.rows`delete from usage_seals where day = (${from}::timestamptz at time zone 'UTC')::date`
}

/** Sums the newest sealed days and a few others again. A check that is repeated for the same time reads the same days. */
export async function daysAreSums(sql: Sql, at: Date): Promise<CheckFinding> {
  const sample = await sql.rows<{ day: string }>`
    select day::text from (
      (select day from usage_seals order by day desc limit 3)
      union
      (select day from usage_seals order by md5(day::text || ${at.toISOString()}::text) limit 7)) sample
    order by day`
  const wrong: string[] = []
  // One day for each statement, which then reads only its rows.
  for (const { day } of sample) if (!(await isSum(sql, day))) wrong.push(day)
  const violations = BigInt(wrong.length)
  return { checked: BigInt(sample.length), violations, examples: wrong.length > 0 ? wrong : null }
}

/** One statement, because the day may be sealed again meanwhile. */
async function isSum(sql: Sql, day: string): Promise<boolean> {
  const { equal } = await sql.one<{ equal: boolean }>`
    with seal as materialized (select points from usage_seals where day = ${day}::date)
    select coalesce((select points from seal) = coalesce(sum(found), 0), false)
      and not coalesce(bool_or(tokens <> 0 or cost <> 0 or points <> 0), false) as equal
    from (
      select sum(tokens) as tokens, sum(cost) as cost, sum(points) as points, sum(found) as found
      from (select p.org_id, p.user_id, p.lane, p.source, sum(p.tokens) as tokens, sum(p.cost_minor) as cost, count(*) as points,
                   count(*) as found
            from usage_points p
            where p.at >= ${day}::date::timestamp at time zone 'UTC' and p.at < (${day}::date + 1)::timestamp at time zone 'UTC'
            group by p.org_id, p.user_id, p.lane, p.source
            union all
            select d.org_id, d.user_id, d.lane, d.source, -d.tokens, -d.cost_minor, -d.points, 0
            from usage_days d where d.day = ${day}::date) facing
      group by org_id, user_id, lane, source) diff`
  return equal
}
