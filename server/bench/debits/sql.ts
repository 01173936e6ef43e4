// Wallets to measure with.
import type { Sql } from '../../src/platform/db/tx.ts'

/** Organisations `org_bench1` … with more in their wallets than a run can spend. */
export async function plantWallets(owner: Sql, count: number): Promise<void> {
  await owner.rows`
    insert into orgs (id, name, type, tier, currency, created_at)
    select 'org_bench' || n, 'Bench', 'individual', 'individual', 'NGN', '2026-11-01' from generate_series(1, ${count}) n`
  await owner.rows`
    select count(verdict) from wallet_apply(
      (select jsonb_agg(jsonb_build_object('n', n, 'kind', 'credit', 'org', 'org_bench' || n, 'mid', 'led_bench' || n,
         'ref', 'bench', 'cause', 'bench ' || n, 'source', 'topup', 'amount', 1000000000000000, 'account', 'clearing:mock'))
       from generate_series(1, ${count}) n), '2026-11-01', 0)`
}

export async function countMovements(owner: Sql): Promise<number> {
  const { count } = await owner.one<{ count: number }>`select count(*)::int as count from movements`
  return count
}
