// Every statement about what was used.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Place } from '../platform/http/page.ts'

/** From an instant up to and without another. */
export type Span = { readonly from: Date; readonly to: Date }
export type Spent = { costMinor: bigint; tokens: bigint }
export type Point = Spent & { at: Date; lane: string; model: string; source: string }

export function newestPoints(tx: Tx, org: OrgId, user: UserId, { from, to }: Span, most: number) {
  return tx.rows<Point>`
    select at, lane, model, source, tokens, cost_minor as "costMinor" from usage_points
    where org_id = ${org} and user_id = ${user} and at >= ${from} and at < ${to}
    order by at desc, id desc limit ${most}`
}

export type Sum = Spent & { lane: string | null; source: string | null; day: string | null }

/** Sums by lane, by source and by day, and one over all, in which all three are null. */
export function sums(tx: Tx, org: OrgId, user: UserId, { from, to }: Span) {
  return tx.rows<Sum>`
    select lane, source, to_char(day, 'YYYY-MM-DD') as day,
           coalesce(sum(cost_minor), 0)::bigint as "costMinor", coalesce(sum(tokens), 0)::bigint as tokens
    from (select lane, source, date_trunc('day', at at time zone 'UTC') as day, cost_minor, tokens from usage_points
          where org_id = ${org} and user_id = ${user} and at >= ${from} and at < ${to}) as points
    group by grouping sets ((lane), (source), (day), ())
    order by lane, source, day`
}

export type MemberUsage = {
  userId: UserId
  email: string
  seatCapMinor: bigint | null
  joinedAt: Date
  monthMinor: bigint
}

export function membersUsage(tx: Tx, org: OrgId, { from, to }: Span, after: Place, limit: number) {
  return tx.rows<MemberUsage>`
    select m.user_id as "userId", u.email, m.seat_cap_minor as "seatCapMinor", m.created_at as "joinedAt",
           (select coalesce(sum(p.cost_minor), 0)::bigint from usage_points p
            where p.org_id = m.org_id and p.user_id = m.user_id and p.at >= ${from} and p.at < ${to}) as "monthMinor"
    from memberships m join users u on u.id = m.user_id
    where m.org_id = ${org} and (m.created_at, m.user_id) > (${after.at}, ${after.id})
    order by m.created_at, m.user_id limit ${limit}`
}

export async function totalOf(tx: Tx, org: OrgId, { from, to }: Span): Promise<bigint> {
  const { total } = await tx.one<{ total: bigint }>`
    select coalesce(sum(cost_minor), 0)::bigint as total from usage_points
    where org_id = ${org} and at >= ${from} and at < ${to}`
  return total
}

/** The tokens of all organisations since an instant, by lane. */
export function tokensByLane(tx: Tx, since: Date) {
  return tx.rows<{ lane: string; tokens: bigint }>`
    select lane, sum(tokens)::bigint as tokens from usage_points where at >= ${since} group by lane`
}
