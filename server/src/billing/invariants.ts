// Invariants of bills and subscriptions. The checks need the platform scope.
import type { Tx } from '../platform/db/tx.ts'
import type { CheckFinding, InvariantCheck } from '../wallet/wallet.ts'

/** In both directions: a paid bill debited its wallet once, and every such debit has a paid bill. */
const billsAreDebits = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select coalesce(b.id, m.id) as id,
               b.id is null or m.id is null or m.org_id <> b.org_id or m.free_minor <> -b.amount_minor
               or m.account is distinct from 'subscriptions' as bad
        from (select id, org_id, amount_minor from bills where status = 'paid') b
        full join (select id, org_id, free_minor, account, cause from movements
                   where kind = 'debit' and account = 'subscriptions') m on m.cause = 'bill ' || b.id) each`

/** One settled payment with the invoice of the bill, or none if the wallet paid. */
const billsArePaidOnce = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select b.id, (select count(*) from payments p
                      where p.bill_id = b.id and p.status = 'settled' and p.invoice_id = b.invoice_id
                        and p.org_id = b.org_id and p.captured_minor = b.amount_minor)
                     <> case when i.reference is null then 0 else 1 end as bad
        from bills b left join invoices i on i.id = b.invoice_id where b.status = 'paid') each`

/** The plan that requests read from the organisation is that of its live subscription. */
const orgsFollowSubscriptions = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select o.id, o.plan_code is distinct from s.plan_code
                     or s.id is not null and o.subscription_status is distinct from s.status
                     or s.id is null and o.subscription_status in ('active', 'past_due')
                     or s.plan_code <> 'free' and o.seat_allotment <> s.seats as bad
        from org_profiles o left join subscriptions s on s.org_id = o.id and s.status in ('active', 'past_due')
        where o.plan_code is not null or o.subscription_status is not null or s.id is not null) each`

/** A subscription that waits for its first payment has one open bill. */
const checkoutsHaveBills = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select s.id, (select count(*) from bills b where b.subscription_id = s.id and b.kind = 'checkout'
                        and b.status = 'open') <> 1 as bad
        from subscriptions s where s.status = 'incomplete') each`

export const billingChecks: readonly InvariantCheck[] = [
  {
    name: 'paid_bills_are_debits',
    holds: 'Every paid bill debited its wallet once, and every debit for plans has a paid bill.',
    find: billsAreDebits,
  },
  {
    name: 'bills_are_paid_once',
    holds:
      'Every paid bill was paid by one settled payment of its amount and has its invoice, or was paid from the wallet.',
    find: billsArePaidOnce,
  },
  {
    name: 'organisations_follow_their_subscriptions',
    holds: 'The plan, status and seats of each organisation are those of its live subscription.',
    find: orgsFollowSubscriptions,
  },
  {
    name: 'checkouts_have_bills',
    holds: 'Every subscription that waits for its first payment has one open bill.',
    find: checkoutsHaveBills,
  },
]
