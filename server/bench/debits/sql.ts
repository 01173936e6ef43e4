// Wallets for the debit benchmark.
import type { Sql } from '../../src/platform/db/tx.ts'

/** Creates organisations `org_bench1` … with more money than a run can spend. */
export async function seedWallets(owner: Sql, count: number): Promise<void> {
  await owner.rows`
    insert into orgs (id, name, type, tier, currency, created_at)
    select 'org_bench' || n, 'Bench', 'individual', 'individual', 'NGN', '2026-11-01' from generate_series(1, ${count}) n`
  await owner.rows`
    select count(verdict) from wallet_apply_ops(
      (select jsonb_agg(jsonb_build_object('n', n, 'kind', 'credit', 'org', 'org_bench' || n, 'mid', 'led_bench' || n,
         'ref', 'bench', 'cause', 'bench ' || n, 'source', 'topup', 'amount', 1000000000000000, 'account', 'clearing:mock'))
       from generate_series(1, ${count}) n), '2026-11-01', '{"NGN": 0}')`
}

export async function countPostings(owner: Sql): Promise<number> {
  const { count } = await owner.one<{ count: number }>`select count(*)::int as count from movements`
  return count
}

/** Fills the ledger with old postings and holds until it has `rows` rows. */
export async function growLedger(owner: Sql, wallets: number, rows: number): Promise<void> {
  const missing = rows - (await countPostings(owner))
  const each = Math.ceil(missing / wallets)
  if (each <= 0) return
  await owner.rows`
    insert into movements (org_id, seq, id, kind, free_minor, held_minor, included_minor, included_held_minor, revenue_minor,
      allowance_minor, account_minor, source, ref, balance_after_minor, hold_id, created_at, hash)
    select w.org_id, w.seq + n, 'led_old' || w.org_id || '-' || (w.seq + n), 'settle', 0, -1, 0, 0, 1, 0, 0, 'agent', 'old', w.balance_minor,
      'hld_old' || w.org_id || '-' || (w.seq + n), '2026-10-01', w.head
    from wallets w, generate_series(1, ${each}) n where w.org_id like 'org\_bench%'`
  await owner.rows`
    insert into holds (id, org_id, user_id, ref, source, amount_minor, included_minor, included_grant, terms, state, charged_minor,
      charged_included_minor, month, deadline, created_at, ended_at)
    select 'hld_old' || w.org_id || '-' || (w.seq + n), w.org_id, null, 'old' || (w.seq + n), 'agent', 1, 0, 0, '{}', 'settled', 1, 0,
      '2026-10-01', '2026-10-01', '2026-10-01', '2026-10-01'
    from wallets w, generate_series(1, ${each}) n where w.org_id like 'org\_bench%'`
  await owner.rows`update wallets set seq = seq + ${each} where org_id like 'org\_bench%'`
  await owner.rows`vacuum analyze movements`
  await owner.rows`vacuum analyze holds`
  await owner.rows`vacuum analyze wallets`
  await owner.rows`checkpoint`
}
