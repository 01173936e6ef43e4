// Invariants of payments, one statement each. All need platform scope.
import type { Tx } from '../../platform/db/tx.ts'
import type { CheckFinding } from '../../wallet/wallet.ts'

/** A settled payment has one credit, and every rail credit has a settled payment. */
export const paymentsAreCredits = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select coalesce(p.reference, m.id) as id,
               p.reference is null or m.id is null or m.org_id <> p.org_id or m.free_minor <> p.captured_minor
               or m.account <> 'clearing:' || p.rail or m.currency is distinct from p.currency as bad
        from (select reference, org_id, entry_id, captured_minor, currency,
                     case when mode = 'mock' then mode else rail end as rail from payments where status = 'settled') p
        full join (select id, org_id, free_minor, account, currency from movements left join wallets using (org_id)
                   where kind = 'credit' and account like 'clearing:%') m on m.id = p.entry_id) each`

export const refundsStayWithinPayments = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select p.reference as id,
               p.refunded_minor > p.captured_minor or p.refunded_minor <> coalesce(r.refunded, 0) as bad
        from payments p left join
          (select reference, sum(amount_minor) as refunded from wallet_refunds where reference is not null
           group by reference) r on r.reference = p.reference
        where p.captured_minor > 0 or p.refunded_minor > 0 or r.refunded > 0) each`

/**
 * Every refund by staff has a credit, and every credit from the staff accounts has a refund. Returned charges are excluded by
 * their source; those of research once had the source of refunds.
 */
export const refundsAreCredits = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select coalesce(r.id, m.id) as id,
               r.id is null or m.id is null or m.org_id <> r.org_id or m.free_minor <> r.amount_minor as bad
        from wallet_refunds r
        full join (select id, org_id, free_minor from movements
                   where kind = 'credit' and source in ('refund', 'adjustment') and cause not like 'research %') m
          on m.id = r.entry_id) each`

/** A reversal debit belongs to a payment with a reversal or return, and stays within its captured amount. */
export const reversalsStayWithinPayments = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  with m as materialized (
    select id, org_id, account_minor, cause, ref from movements where account = 'reversals')
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select m.id, p.reference is null or p.org_id <> m.org_id
                     or (r.reference is null and (p.reversed_at is null or m.cause <> 'reversal ' || p.reference))
                     or (r.reference is not null
                         and (m.account_minor <> r.taken_minor or m.cause <>
                                case when s.id is null then 'return ' else 'refund_to_source ' end || r.reference || ' ' || r.return_key))
                     or sum(m.account_minor) over (partition by p.reference) > p.captured_minor as bad
        from m
        left join payment_returns r on r.entry_id = m.id
        left join source_refunds s on s.reference = r.reference and s.return_key = r.return_key
          and m.cause like 'refund_to_source %'
        left join payments p on p.reference = coalesce(r.reference, m.ref)) each`

/** The totals of a payment equal its returns. Frozen returns and open refunds have a hold, and no other top-up holds exist. */
export const returnsAddUp = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select p.reference as id,
               p.returned_minor <> coalesce(r.returned, 0) or p.disputed_minor <> coalesce(r.disputed, 0)
               or p.returned_minor > p.captured_minor as bad
        from payments p left join
          (select reference, sum(amount_minor) filter (where state = 'taken') as returned,
                  sum(amount_minor) filter (where state = 'frozen') as disputed
           from payment_returns group by reference) r on r.reference = p.reference
        where p.captured_minor > 0 or p.returned_minor > 0 or p.disputed_minor > 0 or r.reference is not null
        union all
        select coalesce(h.id, r.hold_id),
               h.id is null or r.hold_id is null or h.org_id <> r.org_id or h.charged_minor <> 0
               or (h.state = 'open') <> (r.state = 'frozen') or h.amount_minor > r.amount_minor
        from (select id, org_id, state, amount_minor, charged_minor from holds where source = 'topup') h
        full join (select hold_id, org_id, state, amount_minor from payment_returns where hold_id is not null
                   union all
                   select hold_id, org_id, case when decided_at is null then 'frozen' else state end, amount_minor
                   from source_refunds) r
          on r.hold_id = h.id) each`

/**
 * A refund to the payer that is done has a return, which debits what the provider returned, or the reversal of the whole
 * payment. An undecided one is frozen in full, and one return ends one refund.
 */
export const sourceRefundsAreReturns = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  with h as materialized (select id, state, amount_minor from holds where source = 'topup')
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select s.id,
               s.org_id <> p.org_id or p.status <> 'settled' or s.amount_minor > p.captured_minor
               or (s.state = 'done' and s.return_key is null and p.reversed_at is null)
               or (s.return_key is not null and (r.state <> 'taken' or r.taken_minor + coalesce(c.short, 0) < r.amount_minor))
               or (s.decided_at is null and (h.state <> 'open' or h.amount_minor <> s.amount_minor))
               or count(s.return_key) over (partition by s.reference, s.return_key) > 1 as bad
        from source_refunds s
        join payments p on p.reference = s.reference
        left join h on h.id = s.hold_id
        left join payment_returns r on r.reference = s.reference and r.return_key = s.return_key
        left join lateral (select sum(amount_minor) as short from payment_cases
                           where case_key = 'shortfall ' || s.reference || ' ' || s.return_key) c on true) each`
