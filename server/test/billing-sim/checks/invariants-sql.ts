// What must be true of all bills, invoices and money, asked of the whole database at once. Each statement names what
// breaks it; none should name anything.
import type { Sql } from '../../../src/platform/db/tx.ts'

export type ViolationRow = { what: string }

/** Each settled payment has one invoice of its amount, and what is said to be paid by one was. */
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

/** Numbers are 1 to n, in the order of issue; a clock that went back may have issued a later one earlier. */
export const invoicesOutOfOrder = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select number || ' of ' || org_id || ' is number ' || seq || ' where ' || place || ' comes' as what
  from (select number, org_id, seq, issued_at, row_number() over w as place, lag(issued_at) over w as before
        from invoices window w as (partition by org_id order by seq)) numbered
  where seq <> place or issued_at < before - interval '6 hours' limit 5`

/** A bill takes its amount from the wallet once, for a payment that was settled; what is not paid takes nothing. */
export const billsPaidWrongly = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select b.id || ' is ' || b.status || ', and took ' || coalesce(m.account_minor, 0) as what
  from bills b left join movements m on m.cause = 'bill ' || b.id and m.account = 'subscriptions'
  where (b.status = 'paid') <> (m.id is not null)
     or m.account_minor <> b.amount_minor or m.org_id <> b.org_id
     or (b.status = 'paid' and not exists (select from payments p where p.bill_id = b.id and p.status = 'settled'))
  limit 5`

/** Counted from one anchor no instant is paid for by two renewals: a change of the interval begins with a new one. */
export const periodsThatOverlap = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select id || ' begins at ' || starts || ' in a period that runs to ' || ended as what
  from (select id, (effect->>'periodStart')::timestamptz as starts,
               lag((effect->>'periodEnd')::timestamptz)
                 over (partition by subscription_id, effect->>'anchor' order by period_start) as ended
        from bills where kind = 'renewal' and status = 'paid') paid
  where starts < ended limit 5`

/** An open invoice belongs to an open bill, and the other way round. */
export const openInvoicesWithoutBill = (sql: Sql): Promise<ViolationRow[]> => sql.rows<ViolationRow>`
  select i.number || ' of ' || i.org_id || ' is open and its bill ' || coalesce(b.status, 'gone') as what
  from invoices i left join bills b on b.invoice_id = i.id
  where i.status = 'open' and b.status is distinct from 'open' limit 5`

/** The allowance at every moment, and what was given is used, lapsed or left. */
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

/** What each organisation has paid for its plans, less what came back. */
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

/** Money in, and where it went. */
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
