// Statements on the rail_routes table, and on the results of accounts. All need platform scope.
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { ChannelName, RailName } from '../channels.ts'

export type StoredRoute = { rail: RailName; account: string; priority: number }

export function routesOf(tx: Tx, channel: ChannelName, currency: Currency): Promise<StoredRoute[]> {
  return tx.rows<StoredRoute>`
    select rail, account, priority from rail_routes where channel = ${channel} and currency = ${currency}
    order by priority, rail, account`
}

/** Replaces the order of a channel and currency. */
export async function replaceRoutes(
  tx: Tx,
  channel: ChannelName,
  currency: Currency,
  routes: readonly StoredRoute[],
): Promise<void> {
  await tx.lock(`routes of ${channel} ${currency}`)
  await tx.rows`delete from rail_routes where channel = ${channel} and currency = ${currency}`
  await tx.rows`
    insert into rail_routes (channel, currency, rail, account, priority, updated_at)
    select ${channel}, ${currency}, rail, account, priority, ${tx.now}
    from unnest(${routes.map(({ rail }) => rail)}::text[], ${routes.map(({ account }) => account)}::text[],
                ${routes.map(({ priority }) => priority)}::integer[]) as r (rail, account, priority)`
}

/** The newest attempts that are counted. */
const COUNTED_MAX = 20_000

export type AccountResults = { rail: RailName; account: string; settled: number; decided: number }

/** Results of the attempts since a time, at most the newest 20,000. */
export function readResults(
  tx: Tx,
  channel: ChannelName,
  currency: Currency,
  since: Date,
): Promise<AccountResults[]> {
  return tx.rows<AccountResults>`
    select a.rail, a.account,
           count(*) filter (where p.status = 'settled' and p.rail = a.rail and p.account = a.account)::int as settled,
           count(*) filter (where p.status <> 'pending')::int as decided
    from (select reference, rail, account from payment_attempts
          where channel = ${channel} and currency = ${currency} and mode = 'live' and started_at > ${since}
          order by started_at desc limit ${COUNTED_MAX}) a
    join payments p on p.reference = a.reference
    group by a.rail, a.account`
}

export type AccountFees = {
  rail: RailName
  account: string
  payments: number
  feeMinor: bigint
  capturedMinor: bigint
}

/** Fees of the settled payments since a time whose fee is known. */
export function readFees(
  tx: Tx,
  channel: ChannelName,
  currency: Currency,
  since: Date,
): Promise<AccountFees[]> {
  return tx.rows<AccountFees>`
    select rail, account, count(*)::int as payments, sum(fee_minor)::bigint as "feeMinor",
           sum(captured_minor)::bigint as "capturedMinor"
    from (select rail, account, fee_minor, captured_minor from payments
          where channel = ${channel} and currency = ${currency} and fee_minor is not null and status = 'settled'
            and settled_at > ${since} and account is not null
          order by settled_at desc limit ${COUNTED_MAX}) p
    group by rail, account`
}
