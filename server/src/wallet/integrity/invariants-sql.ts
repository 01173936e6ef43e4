// The statements of the wallet checks. Each is a single statement, so that it sees one instant despite concurrent writes.
// All need the tenant scope `platform`.
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type CheckFinding = {
  checked: bigint
  violations: bigint
  /** The first ids that violate the invariant, at most 1,000; null without any. */
  examples: string[] | null
}

/** Makes the transaction read-only and limits its duration. */
export async function limitTransaction(tx: Tx, timeoutMs: number): Promise<void> {
  await tx.rows`
    select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('transaction_read_only', 'on', true)`
}

export const checkPostingsBalance = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select id, free_minor + held_minor + included_minor + included_held_minor + revenue_minor + allowance_minor
                     + account_minor <> 0 or (account is null) <> (account_minor = 0) as bad
        from movements) each`

/** All four balances of each wallet. Postings without a wallet are violations too. */
export const checkWalletsMatchPostings = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select coalesce(w.org_id, m.org_id) as id,
               (w.balance_minor, w.held_minor, w.included_minor, w.included_held_minor) is distinct from
               (coalesce(m.balance, 0), coalesce(m.held, 0), coalesce(m.included, 0), coalesce(m.included_held, 0)) as bad
        from wallets w full join
          (select org_id, sum(free_minor + held_minor) as balance, sum(held_minor) as held,
                  sum(included_minor + included_held_minor) as included, sum(included_held_minor) as included_held
           from movements group by org_id) m on m.org_id = w.org_id) each`

export const checkHeldMatchesHolds = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select coalesce(w.org_id, h.org_id) as id,
               (w.held_minor, w.included_held_minor) is distinct from (coalesce(h.held, 0), coalesce(h.included, 0)) as bad
        from wallets w full join
          (select org_id, sum(amount_minor - included_minor) as held, sum(included_minor) as included
           from holds where state = 'open' group by org_id) h on h.org_id = w.org_id) each`

/** A hold reserves once and ends once, and the wallet pays its charge. */
export const checkHoldsMatchPostings = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select coalesce(h.id, m.hold_id) as id,
               h.id is null
               or coalesce(m.held, 0) <> case when h.state = 'open' then h.amount_minor - h.included_minor else 0 end
               or coalesce(m.included_held, 0) <> case when h.state = 'open' then h.included_minor else 0 end
               or coalesce(m.revenue, 0) <> h.charged_minor - h.charged_included_minor
               or coalesce(m.paid, 0) <> h.charged_minor - h.charged_included_minor
               or (h.state <> 'settled' and h.charged_minor <> 0) as bad
        from holds h full join
          (select org_id, hold_id, sum(held_minor) as held, sum(included_held_minor) as included_held,
                  sum(revenue_minor) as revenue, -sum(free_minor + held_minor) as paid
           from movements where hold_id is not null group by org_id, hold_id) m
          on m.hold_id = h.id and m.org_id = h.org_id) each`

export const checkMemberMonthsMatchHolds = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select concat_ws(' ', coalesce(mm.org_id, h.org_id), coalesce(mm.user_id, h.user_id), coalesce(mm.month, h.month)) as id,
               (mm.held_minor, mm.spent_minor) is distinct from (coalesce(h.held, 0), coalesce(h.spent, 0)) as bad
        from member_months mm full join
          (select org_id, user_id, month, coalesce(sum(amount_minor) filter (where state = 'open'), 0) as held,
                  sum(charged_minor) as spent
           from holds where user_id is not null group by org_id, user_id, month) h
          on h.org_id = mm.org_id and h.user_id = mm.user_id and h.month = mm.month) each`

export const checkKeySpendMatchesHolds = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select concat_ws(' ', coalesce(s.key_id, h.key_id), coalesce(s.day, h.day)) as id,
               (s.held_minor, s.spent_minor) is distinct from (coalesce(h.held, 0), coalesce(h.spent, 0)) as bad
        from key_spend s full join
          (select org_id, key_id, (created_at at time zone 'UTC')::date as day,
                  coalesce(sum(amount_minor) filter (where state = 'open'), 0) as held, sum(charged_minor) as spent
           from holds, unnest(key_ids) key_id group by org_id, key_id, (created_at at time zone 'UTC')::date) h
          on h.org_id = s.org_id and h.key_id = s.key_id and h.day = s.day) each`

export const checkNothingNegative = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select org_id as id, least(balance_minor - held_minor, held_minor, included_minor - included_held_minor,
                                   included_held_minor) < 0 as bad from wallets
        union all
        select id, balance_after_minor < 0 from movements
        union all
        select id, least(amount_minor - charged_minor, charged_minor) < 0 from holds
        union all
        select concat_ws(' ', org_id, user_id, month), least(spent_minor, held_minor) < 0 from member_months
        union all
        select concat_ws(' ', key_id, day), least(spent_minor, held_minor) < 0 from key_spend) each`

/** Counts the postings again where trial credit was granted, and finds trial credit without a grant. */
export const checkTrialsMatchPostings = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  with granted as materialized (select org_id from trial_credits),
  w as materialized (
    select org_id, trial_minor, balance_minor from wallets where trial_minor > 0
    union select org_id, trial_minor, balance_minor from wallets where org_id in (select org_id from granted))
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select coalesce(w.org_id, t.org_id) as id,
               t.org_id is null or w.org_id is null or w.trial_minor > w.balance_minor
               or w.trial_minor <> wallet_trial_of_postings(t.org_id) as bad
        from w full join granted t on t.org_id = w.org_id) each`

/** The grants are not stored with the wallets. */
export const checkGrantsArePosted = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  with granted as materialized (select org_id, amount_minor, expired_minor from trial_credits),
  posted as materialized (
    select org_id, coalesce(sum(free_minor) filter (where kind = 'credit'), 0)::bigint as credited,
           coalesce(-sum(free_minor) filter (where kind = 'debit'), 0)::bigint as debited
    from movements where source = 'trial' and org_id in (select org_id from granted) group by org_id)
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select t.org_id as id, (t.amount_minor, t.expired_minor) is distinct from (p.credited, p.debited) as bad
        from granted t left join posted p on p.org_id = t.org_id) each`

/** Adds up the stored charges and costs again. Every accrual has a row, and less than one minor unit is paid in advance. */
export const checkAccrualsMatchHolds = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select coalesce(a.org_id, h.org_id) as id,
               (a.charged_minor, a.exact_cost) is distinct from (h.charged, h.cost) or h.charged <> ceil(h.cost) as bad
        from wallet_accruals a full join
          (select org_id, sum(charged_minor) as charged, sum((usage ->> 'exactCost')::numeric) as cost
           from holds where usage ? 'exactCost' group by org_id) h on h.org_id = a.org_id) each`

/** Numbers are positive and unique by the primary key, so a count equal to the highest number proves that none is missing. */
export const checkChainsComplete = (sql: Sql): Promise<CheckFinding> => sql.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples
  from (select coalesce(w.org_id, m.org_id) as id,
               w.org_id is null or (w.seq, w.seq) <> (coalesce(m.last, 0), coalesce(m.movements, 0))
               or w.head is distinct from coalesce(
                 (select hash from movements l where l.org_id = w.org_id and l.seq = w.seq), ''::bytea) as bad
        from wallets w full join
          (select org_id, max(seq) as last, count(*) as movements from movements group by org_id) m
          on m.org_id = w.org_id) each`

export type HashCheckPosition = { orgId: string; seq: bigint }

/**
 * Checks that every posting has the hash of its fields and the previous hash, and continues the previous balance. Hashing is
 * slow, so this checks the next `most` postings in primary-key order and returns where it stopped. The posting at the position itself
 * is read again as the one before.
 */
export const checkHashPage = (at: Sql, { orgId, seq }: HashCheckPosition, most: number) => at.one<
  CheckFinding & { stoppedAt: [orgId: string, seq: string] | null }
>`
  with page as (
    select m.org_id, m.seq, m.id, m.hash, m.balance_after_minor, m::text::movements as movement
    from movements m where (m.org_id, m.seq) >= (${orgId}, ${seq}::bigint) order by m.org_id, m.seq limit ${most + 1}),
  linked as (
    select page.org_id, page.seq, page.id, page.hash, (page.movement).free_minor + (page.movement).held_minor as moved,
           page.balance_after_minor, page.movement, lag(page.hash) over by_seq as hash_before, lag(page.balance_after_minor) over by_seq as balance_before
    from page window by_seq as (partition by page.org_id order by page.seq)),
  judged as (
    select l.org_id, l.seq, l.id,
           l.hash <> movement_hash(coalesce(l.hash_before, ''::bytea), l.movement)
           or l.balance_after_minor - l.moved <> coalesce(l.balance_before, 0) as bad
    from linked l where (l.org_id, l.seq) <> (${orgId}, ${seq}::bigint) order by l.org_id, l.seq limit ${most})
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:10]) as examples,
         case when count(*) = ${most} then
           (array_agg(json_build_array(org_id, seq::text) order by org_id desc, seq desc))[1] end as "stoppedAt"
  from judged`

export type AccountTotal = { currency: string; account: string; totalMinor: bigint }

/** Customer totals come from wallets, all others from postings, so that a sum of zero proves that the two agree. */
export const accountTotals = (sql: Sql): Promise<AccountTotal[]> => sql.rows<AccountTotal>`
  select currency, account, sum(total)::bigint as "totalMinor"
  from (select w.currency, place.account, place.total from wallets w cross join lateral (values
          ('customers:free', w.balance_minor - w.held_minor), ('customers:held', w.held_minor),
          ('customers:included', w.included_minor - w.included_held_minor),
          ('customers:included_held', w.included_held_minor)) place(account, total)
        union all
        select coalesce(w.currency, '?'), place.account, place.total
        from (select org_id, account, sum(revenue_minor) as revenue, sum(allowance_minor) as allowance,
                     sum(account_minor) as other from movements group by org_id, account) m
        left join wallets w on w.org_id = m.org_id cross join lateral (values
          ('revenue', m.revenue), ('allowance', m.allowance), (m.account, m.other)) place(account, total)
        where place.account is not null) each
  group by currency, account order by currency, account`
