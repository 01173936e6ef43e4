// Counts the attempts of provider accounts and their payments. Needs platform scope.
import type { Tx } from '../../platform/db/tx.ts'

export type AccountPerformance = {
  rail: string
  account: string
  channel: string
  currency: string
  period: 'day' | 'month'
  attempts: number
  accepted: number
  settled: number
  failed: number
  expired: number
  pending: number
  /** Followed by an attempt at another account. */
  failovers: number
  /** All payments that are not pending, wherever they were paid. */
  decided: number
  medianSeconds: number | null
  feesMinor: bigint
  /** The amounts whose fee is known. */
  pricedMinor: bigint
}

/** The newest `most` attempts since `month`. */
export function readPerformance(tx: Tx, day: Date, month: Date, most: number): Promise<AccountPerformance[]> {
  return tx.rows<AccountPerformance>`
    with counted as (
      select reference, position, rail, account, channel, currency, outcome, started_at
      from payment_attempts where mode = 'live' and started_at > ${month} order by started_at desc limit ${most}
    ), joined as (
      select c.reference, c.position, c.rail, c.account, c.channel, c.currency, c.outcome, c.started_at, p.status, p.settled_at, p.fee_minor, p.captured_minor,
             p.rail = c.rail and p.account is not distinct from c.account as is_own,
             exists (select 1 from payment_attempts n
                     where n.reference = c.reference and n.position > c.position) as is_followed
      from counted c join payments p on p.reference = c.reference
    )
    select rail, account, channel, currency, w.period, count(*)::int as attempts,
           count(*) filter (where outcome = 'accepted')::int as accepted,
           count(*) filter (where status = 'settled' and is_own)::int as settled,
           count(*) filter (where status = 'failed' and is_own)::int as failed,
           count(*) filter (where status = 'expired' and is_own)::int as expired,
           count(*) filter (where status in ('pending', 'review') and is_own)::int as pending,
           count(*) filter (where is_followed)::int as failovers,
           count(*) filter (where status <> 'pending')::int as decided,
           (percentile_cont(0.5) within group (order by extract(epoch from settled_at - t.started_at))
              filter (where status = 'settled' and is_own))::int as "medianSeconds",
           coalesce(sum(fee_minor) filter (where is_own), 0)::bigint as "feesMinor",
           coalesce(sum(captured_minor) filter (where is_own and fee_minor is not null), 0)::bigint as "pricedMinor"
    from joined t
    join (values ('day', ${day}::timestamptz), ('month', ${month}::timestamptz)) w (period, since) on t.started_at > w.since
    group by rail, account, channel, currency, w.period
    order by channel, currency, rail, account, w.period`
}
