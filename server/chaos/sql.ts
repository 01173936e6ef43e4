// Reads credits, holds and wallets after the chaos run.
import type { Sql } from '../src/platform/db/tx.ts'

export const creditsByReference = (owner: Sql) =>
  owner.rows<{ ref: string; times: number; minor: bigint }>`
    select ref, count(*)::int as times, sum(free_minor)::bigint as minor from movements
    where kind = 'credit' and source = 'topup' group by ref`

export const settledPayments = (owner: Sql) =>
  owner.rows<{ reference: string }>`select reference from payments where status = 'settled'`

export const endsByHold = (owner: Sql) =>
  owner.rows<{ id: string; state: string; charged: bigint; ends: number; revenue: bigint }>`
    select h.id, h.state, h.charged_minor as charged,
           count(m.id) filter (where m.kind <> 'reserve')::int as ends,
           coalesce(sum(m.revenue_minor), 0)::bigint as revenue
    from holds h left join movements m on m.org_id = h.org_id and m.hold_id = h.id group by h.id, h.org_id`

export const overdueHolds = async (owner: Sql, at: Date): Promise<number> =>
  (
    await owner.one<{ count: number }>`
    select count(*)::int as count from holds where state = 'open' and deadline <= ${at}`
  ).count

/** Wallets whose balance is not the sum of their postings, or whose held amount is not the sum of their open holds. */
export const unbalancedWallets = (owner: Sql) =>
  owner.rows<{ orgId: string }>`
    select w.org_id as "orgId" from wallets w
    left join (select org_id, sum(free_minor + held_minor) as balance, sum(held_minor) as held, max(seq) as seq, count(*) as count
               from movements group by org_id) m on m.org_id = w.org_id
    left join (select org_id, sum(amount_minor - included_minor) as held from holds where state = 'open' group by org_id) h
      on h.org_id = w.org_id
    where w.balance_minor <> coalesce(m.balance, 0) or w.held_minor <> coalesce(m.held, 0) or w.seq <> coalesce(m.seq, 0)
       or w.seq <> coalesce(m.count, 0) or w.held_minor <> coalesce(h.held, 0)`

/** Counts postings whose hash does not match their content and the previous hash. */
export const countBrokenHashLinks = async (owner: Sql): Promise<number> =>
  (
    await owner.one<{ count: number }>`
    select count(*)::int as count from (
      select m.hash, movement_hash(coalesce(lag(m.hash) over (partition by m.org_id order by m.seq), '\\x'), m::text::movements)
        as expected
      from movements m) links
    where hash <> expected`
  ).count
