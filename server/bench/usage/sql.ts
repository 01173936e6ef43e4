// A year of usage data for the benchmark.
import type { Sql } from '../../src/platform/db/tx.ts'

export type Users = { heavy: string; light: string; team: readonly string[] }

const INDEXES = [
  'create index usage_points_by_org on usage_points (org_id, at)',
  'create index usage_points_by_user on usage_points (org_id, user_id, at)',
  'create index usage_points_by_time on usage_points using brin (at) with (autosummarize = on)',
]

/** Makes all users members of the first user's organisation. Returns its id. */
export async function makeTeam(owner: Sql, users: readonly string[]): Promise<string> {
  const [ownerId = ''] = users
  const { id } = await owner.one<{ id: string }>`
    update orgs set type = 'team', tier = 'team'
    where id = (select org_id from memberships where user_id = ${ownerId} and role = 'owner') returning id`
  await owner.rows`
    insert into memberships (org_id, user_id, role, created_at)
    select ${id}, each, 'member', '2026-01-01' from unnest(${users.slice(1)}::text[]) each`
  return id
}

/**
 * Inserts `count` points evenly over the last year, in chronological order: a tenth for one heavy user, one in ten thousand for
 * a light user, a twentieth for a team, and the rest for 197 organisations with five users each.
 * To fill faster, the table is unlogged, indexes are created afterwards, and the unused primary key is dropped.
 */
export async function seedUsagePoints(
  owner: Sql,
  { heavy, light, team }: Users,
  count: number,
): Promise<void> {
  for (const index of ['by_org', 'by_user', 'by_time']) await run(owner, `drop index usage_points_${index}`)
  await run(owner, 'alter table usage_points drop constraint usage_points_pkey')
  await run(owner, 'alter table usage_points set unlogged')
  await owner.rows`
    with people as (
      select m.user_id, m.org_id from memberships m
      where m.role = 'owner' and m.user_id = any (${[heavy, light, team[0] ?? '']}::text[]))
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
    select 'use_bench' || n,
      case who when 'heavy' then (select org_id from people where user_id = ${heavy})
               when 'light' then (select org_id from people where user_id = ${light})
               when 'team' then (select org_id from people where user_id = ${team[0] ?? ''})
               else 'org_others' || n % 197 end,
      case who when 'heavy' then ${heavy} when 'light' then ${light}
               when 'team' then (${[...team]}::text[])[1 + n / 20 % ${team.length}]
               else case when n % 50 <> 7 then 'usr_others' || n % 197 || '_' || n / 197 % 5 end end,
      clock_timestamp() - interval '365 days' * (1 - n::float8 / ${count}::float8),
      case when n / 10 % 4 = 0 then 'frontier' else 'open' end, 'small-1',
      (array['agent', 'chat', 'gateway', 'index', 'research', 'review'])[1 + n / 40 % case who when 'heavy' then 6 else 3 end],
      1000 + n % 5000, 100 + n % 900
    from (select n, case when n % 10 = 0 then 'heavy' when n % 10000 = 1 then 'light' when n % 20 = 3 then 'team' end as who
          from generate_series(1, ${count}::int) n) each`
  await run(owner, "set maintenance_work_mem = '1GB'")
  for (const statement of INDEXES) await run(owner, statement)
  await run(owner, 'vacuum analyze usage_points')
}

/** Disables the sealing job of the service: only the benchmark seals days. */
export async function postponeSealing(owner: Sql): Promise<void> {
  await owner.rows`
    insert into job_schedules (name, next_at) values ('metering.sealUsage', '2100-01-01')
    on conflict (name) do update set next_at = excluded.next_at`
}

export async function vacuumUsageDays(owner: Sql): Promise<number> {
  await run(owner, 'vacuum analyze usage_days')
  const { count } = await owner.one<{ count: number }>`select count(*)::int as count from usage_days`
  return count
}

const run = (owner: Sql, statement: string): Promise<object[]> =>
  owner.rows(Object.assign([statement], { raw: [statement] }) as unknown as TemplateStringsArray)
