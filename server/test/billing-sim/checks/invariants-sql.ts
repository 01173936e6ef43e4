// Invariants of bills, invoices and money over the whole database. Each statement returns violations; none should
// return a row.
import type { Sql } from '../../../src/platform/db/tx.ts'

export type ViolationRow = { what: string }

/** Each settled payment has exactly one paid invoice with its amount. */
export const paymentsWithoutInvoice = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select p.reference || ' has ' || count(i.id) || ' invoices of ' || coalesce(sum(i.total_minor), 0) as what
  from payments p left join invoices i on i.reference = p.reference and i.status = 'paid'
  where p.status = 'settled'
  group by p.reference, p.captured_minor, p.invoice_id
  having count(i.id) <> 1 or sum(i.total_minor) <> p.captured_minor or max(i.id) is distinct from p.invoice_id
  limit 5`

export const invoicesWithoutPayment = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select i.number || ' of ' || i.org_id || ' is paid by ' || coalesce(i.reference, 'nothing') as what
  from invoices i left join payments p on p.reference = i.reference and p.status = 'settled' and p.org_id = i.org_id
  where i.status = 'paid' and p.reference is null limit 5`

/** Invoice numbers are 1 to n in the order of issue. The clock may have gone back between two of them. */
export const invoicesOutOfOrder = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select number || ' of ' || org_id || ' is number ' || seq || ', expected ' || place as what
  from (select number, org_id, seq, issued_at, row_number() over w as place, lag(issued_at) over w as before
        from invoices window w as (partition by org_id order by seq)) numbered
  where seq <> place or issued_at < before - interval '6 hours' limit 5`

/** A paid bill debits its amount once, for a settled payment. An unpaid bill debits nothing. */
export const billsPaidWrongly = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select b.id || ' is ' || b.status || ', and took ' || coalesce(m.account_minor, 0) as what
  from bills b left join movements m on m.cause = 'bill ' || b.id and m.account = 'subscriptions'
  where (b.status = 'paid') <> (m.id is not null)
     or m.account_minor <> b.amount_minor or m.org_id <> b.org_id
     or (b.status = 'paid' and not exists (select from payments p where p.bill_id = b.id and p.status = 'settled'))
  limit 5`

/** Renewals with the same anchor do not overlap. A change of the interval sets a new anchor. */
export const periodsThatOverlap = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select id || ' begins at ' || starts || ' in a period that runs to ' || ended as what
  from (select id, (effect->>'periodStart')::timestamptz as starts,
               lag((effect->>'periodEnd')::timestamptz)
                 over (partition by subscription_id, effect->>'anchor' order by period_start) as ended
        from bills where kind = 'renewal' and status = 'paid') paid
  where starts < ended limit 5`

/** An open invoice belongs to an open bill. */
export const openInvoicesWithoutBill = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select i.number || ' of ' || i.org_id || ' is open and its bill ' || coalesce(b.status, 'gone') as what
  from invoices i left join bills b on b.invoice_id = i.id
  where i.status = 'open' and b.status is distinct from 'open' limit 5`

/** The allowance is never negative, and granted amounts equal used, lapsed and remaining amounts. */
export const unbalancedAllowances = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select w.org_id || ' has ' || w.included_minor || ' left of ' || sums.given || ' given, ' || sums.used || ' used, '
         || sums.lapsed || ' lapsed, at least ' || sums.least as what
  from wallets w join (
    select org_id, min(had) as least,
           sum(change) filter (where kind = 'grant' and change > 0) as given,
           -sum(change) filter (where kind = 'grant' and change < 0) as lapsed,
           -sum(change) filter (where kind <> 'grant') as used
    from (select org_id, kind, included_minor + included_held_minor as change,
                 sum(included_minor + included_held_minor) over (partition by org_id order by seq) as had
          from movements) moves group by org_id) sums on sums.org_id = w.org_id
  where sums.least < 0 or coalesce(sums.given, 0) - coalesce(sums.lapsed, 0) - coalesce(sums.used, 0) <> w.included_minor
  limit 5`

/** Payments for plans minus refunds, per organisation. */
export const paidForPlans = (sql: Sql): Promise<{ orgId: string; paidMinor: bigint }[]> => sql.rows<{
  orgId: string
  paidMinor: bigint
}>`
  select org_id as "orgId", coalesce(sum(account_minor), 0)::bigint as "paidMinor" from movements
  where account = 'subscriptions' group by org_id`

export type PaymentRecord = { reference: string; status: string; capturedMinor: bigint; currency: string }
export const livePayments = (sql: Sql): Promise<PaymentRecord[]> => sql.rows<PaymentRecord>`
  select reference, status, captured_minor as "capturedMinor", currency from payments where mode = 'live'`

export type MoneyTotals = {
  currency: string
  capturedMinor: bigint
  invoicedMinor: bigint
  walletsMinor: bigint
  refundedMinor: bigint
  revenueMinor: bigint
  subscriptionsMinor: bigint
}

/** Incoming money and its uses, per currency. */
export const totals = (sql: Sql): Promise<MoneyTotals[]> => sql.rows<MoneyTotals>`
  select w.currency,
    coalesce((select sum(captured_minor) from payments p where p.currency = w.currency and p.status = 'settled'), 0)::bigint as "capturedMinor",
    coalesce((select sum(total_minor) from invoices i where i.currency = w.currency and i.status = 'paid'), 0)::bigint as "invoicedMinor",
    sum(w.balance_minor)::bigint as "walletsMinor",
    coalesce(sum(m.refunds), 0)::bigint as "refundedMinor",
    coalesce(sum(m.revenue), 0)::bigint as "revenueMinor",
    coalesce(sum(m.plans), 0)::bigint as "subscriptionsMinor"
  from wallets w left join (
    select org_id, -sum(account_minor) filter (where account in ('refunds', 'adjustments')) as refunds,
           -sum(free_minor + held_minor) filter (where account is null) as revenue,
           sum(account_minor) filter (where account = 'subscriptions') as plans
    from movements group by org_id) m on m.org_id = w.org_id
  group by w.currency order by w.currency`
