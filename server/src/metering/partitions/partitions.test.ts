import {
  createDatabase,
  dropDatabase,
  type Person,
  startTestServer,
  type TestServer,
} from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import { readFunctions, readMigrations } from '../../platform/db/migrations/sql-files.ts'
import { openPool } from '../../platform/db/pool.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { purgeRequests } from '../requests/purge.ts'
import { maintainPartitions, partitionFigures } from './partitions.ts'

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer({ schedules: ['metering.', 'wallet.'] })
  ada = await server.person()
  // The months of the tests are in the past, and their partitions are apart from the first one.
  const first = `alter table request_log attach partition request_log_past for values from (minvalue) to ('2020-01-01Z')`
  for (const statement of ['alter table request_log detach partition request_log_past', first])
    await run(statement)
  await createMonth('2026-11-15Z', 3)
})
afterAll(() => server.close())

const run = (statement: string) =>
  server.sql.rows(Object.assign([statement], { raw: [statement] }) as unknown as TemplateStringsArray)
const createMonth = (at: string, ahead = 0) =>
  server.sql.rows`select create_month_partitions('request_log', ${at}::timestamptz, ${ahead})`
const maintain = (signal = AbortSignal.timeout(30_000)) =>
  maintainPartitions.run(server.app, { signal } as never)
const inPlatform = <T>(work: (tx: Tx) => Promise<T>) => server.app.db.tx('platform', work)

/** Returns the partition that has the row; undefined if the row exists. */
async function insert(at: string, id = `rql_${at}`, org = ada.orgId): Promise<string | undefined> {
  const row = await inPlatform(
    (tx) => tx.maybe<{ name: string }>`
      insert into request_log (org_id, at, id, route, model, input_tokens, cached_input_tokens, cache_write_tokens,
        output_tokens, cost_minor, duration_ms, status)
      values (${org}, ${at}::timestamptz, ${id}, '/v1', 'small-1', 1, 0, 0, 1, 1, 1, 200)
      on conflict (org_id, at, id) do nothing returning tableoid::regclass::text as name`,
  )
  return row?.name
}
async function names(): Promise<string[]> {
  const rows = await server.sql.rows<{ name: string }>`
    select name from month_partitions('request_log') order by ends`
  return rows.map(({ name }) => name.replace('request_log_', ''))
}
const figures = async () =>
  new Map(
    (await inPlatform((tx) => partitionFigures.read(tx))).map(([name, value, labels]) => [
      `${name} ${labels?.state ?? ''}`.trim(),
      value,
    ]),
  )

describe('a partition', () => {
  test('of this month and the next three exists after the start, and rows are in that of their month', async () => {
    expect(await names()).toEqual(expect.arrayContaining(['2026_11', '2026_12', '2027_01', '2027_02']))
    expect(await insert('2026-11-30T23:59:59Z')).toBe('request_log_2026_11')
    expect(await insert('2026-12-01T00:00:00Z')).toBe('request_log_2026_12')
    server.clock.advance({ days: 90 })
    await maintain()
    server.clock.advance({ days: -90 })
    expect(await names()).toEqual(expect.arrayContaining(['2027_03', '2027_04', '2027_05']))
  })

  test('has the columns, checks, indexes and policies of its table, and is closed to the role of the service', async () => {
    const parts = await server.sql.rows<{ name: string; facts: string }>`
      select c.relname as name, concat_ws(' | ', c.relrowsecurity, c.relforcerowsecurity,
        (select string_agg(regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', i.indisunique::text), ';' order by 1)
         from (select x.* from pg_index x where x.indrelid = c.oid and x.indisvalid
               order by pg_get_indexdef(x.indexrelid) collate "C") i),
        (select string_agg(pg_get_constraintdef(k.oid), ';' order by pg_get_constraintdef(k.oid)) from pg_constraint k
         where k.conrelid = c.oid and k.contype in ('c', 'p', 'f') and k.conname <> 'request_log_past'),
        -- Older procedures use the older name of the same function.
        (select string_agg(replace(p.qual || p.with_check, 'tenant_scope()', 'current_reach()'), ';') from pg_policies p where p.tablename = c.relname)) as facts
      from pg_class c where c.oid = 'request_log'::regclass
        or c.oid in (select inhrelid from pg_inherits where inhparent = 'request_log'::regclass) order by c.relname`
    expect(parts.length).toBeGreaterThan(6)
    const [{ facts } = { facts: '' }] = parts
    expect(facts).toMatch(/^t \| t \| .*truebtree \(org_id, at, id\).*current_reach/s)
    const sorted = (text: string) =>
      text
        .split(/[;|]/)
        .map((part) => part.trim())
        .sort()
    for (const part of parts) expect(sorted(part.facts), part.name).toEqual(sorted(facts))
    for (const { name } of parts.filter((part) => part.name !== 'request_log'))
      for (const right of ['select', 'insert', 'update', 'delete', 'truncate']) {
        const { has } = await server.sql.one<{ has: boolean }>`
          select has_table_privilege('cowrie_app', ${name}, ${right}) as has`
        expect(has, `${right} on ${name}`).toBe(false)
      }
  })

  test('keeps rows of other organisations hidden and rows unique', async () => {
    const bola = await server.person()
    expect(await insert('2026-12-05Z', 'rql_same')).toBeDefined()
    expect(await insert('2026-12-05Z', 'rql_same')).toBeUndefined()
    const seen = await server.app.db.tx(bola.orgId, (tx) => tx.rows`select id from request_log`)
    expect(seen).toEqual([])
    const foreign = server.app.db.tx(
      bola.orgId,
      (tx) => tx.rows`
      update request_log set org_id = ${bola.orgId} where org_id = ${ada.orgId} returning id`,
    )
    expect(await foreign).toEqual([])
  })
})

test('a row without a partition is stored in the default one and reported, and the next run moves it to its month', async () => {
  expect((await figures()).get('partition_rest_age_seconds')).toBe(0)
  expect(await insert('2026-09-07Z')).toBe('request_log_rest')
  expect((await figures()).get('partition_rest_age_seconds')).toBeGreaterThan(60 * 86_400)
  await maintain()
  expect((await figures()).get('partition_rest_age_seconds')).toBe(0)
  const found = await server.sql.rows`
    select tableoid::regclass::text as name from request_log where at = '2026-09-07Z'`
  expect(found).toEqual([{ name: 'request_log_2026_09' }])
})

describe('old months', () => {
  test('are dropped, audited and counted, and younger ones stay', async () => {
    for (const month of ['2020-03-01Z', '2026-07-01Z', '2026-08-01Z']) await createMonth(month)
    await insert('2020-03-04Z')
    await insert('2026-08-20Z')
    const before = await names()
    await maintain()
    const dropped = ['past', '2020_03', '2026_07']
    expect(await names()).toEqual(before.filter((name) => !dropped.includes(name)))
    const left = await server.sql.rows`select at from request_log where at < '2026-08-01Z'`
    expect(left).toEqual([])
    const entries = await server.sql.rows<{ target: string }>`
      select target from audit_entries where action = 'metering.partitions.drop' order by seq`
    expect(entries.map(({ target }) => target)).toEqual(dropped.map((name) => `request_log_${name}`))
    expect((await figures()).get('partitions detached')).toBe(0)
    expect((await figures()).get('partitions attached')).toBe((await names()).length)
    await maintain()
    expect(await names()).toContain('2026_08')
  })

  test('that were detached before an interruption are dropped by the next run, and no other table is', async () => {
    await createMonth('2020-04-01Z')
    const stopped = new AbortController()
    stopped.abort(new Error('the replica stops'))
    await expect(maintain(stopped.signal)).rejects.toThrow('stops')
    expect((await figures()).get('partitions detached')).toBe(1)
    await createMonth('2020-05-01Z')
    await run('alter table request_log detach partition request_log_2020_05')
    await maintain()
    expect((await figures()).get('partitions detached')).toBe(0)
    const { own, marked } = await server.sql.one<{ own: string; marked: string | null }>`
      select to_regclass('request_log_2020_05')::text as own, to_regclass('request_log_2020_04')::text as marked`
    expect([own, marked]).toEqual(['request_log_2020_05', null])
  })

  test('wait while a transaction reads the table, and the run fails instead of blocking requests', async () => {
    await createMonth('2020-06-01Z')
    await inPlatform(async (reader) => {
      await reader.rows`select id from request_log limit 1`
      await expect(maintain()).rejects.toThrow()
    })
    expect(await names()).toContain('2020_06')
    await maintain()
    expect(await names()).not.toContain('2020_06')
  })

  test('within the setting stay when the clock of a replica is ahead by a year', async () => {
    const { month } = await server.sql.one<{ month: string }>`
      select to_char(date_trunc('month', now() at time zone 'UTC') - interval '1 month', 'YYYY_MM') as month`
    await createMonth(`${month.replace('_', '-')}-01Z`)
    server.clock.advance({ days: 365 })
    await maintain()
    server.clock.advance({ days: -365 })
    expect(await names()).toContain(month)
  })

  test('are judged by the time of the database, so a wrong clock of a replica drops nothing', async () => {
    await server.sql.rows`select create_month_partitions('request_log', now(), 1)`
    const detachNext = () =>
      inPlatform((tx) => tx.rows`select name from detach_month_partition('request_log', '2999-01-01Z')`)
    for (let detached = await detachNext(); detached.length > 0; ) detached = await detachNext()
    const { young, current } = await server.sql.one<{ young: boolean; current: bigint }>`
      select bool_and(ends > now() - interval '1 day') as young,
        count(*) filter (where starts <= now() and ends > now()) as current from month_partitions('request_log')`
    expect([young, current]).toEqual([true, 1n])
  })

  test.for(['movements', 'holds', 'audit_entries', 'payments', 'usage_points'])(
    'of %s do not exist, and the functions refuse the table',
    async (table) => {
      expect(
        await inPlatform((tx) => tx.rows`select name from detach_month_partition(${table}, '2020-01-01Z')`),
      ).toEqual([])
      for (const call of [
        (tx: Tx) => tx.rows`select create_month_partitions(${table}, ${tx.now}, 1)`,
        (tx: Tx) => tx.rows`select drop_detached_partition(${table}, ${table})`,
      ])
        await expect(inPlatform(call)).rejects.toThrow(/partition/)
      await expect(
        inPlatform((tx) => tx.rows`select drop_detached_partition('request_log', ${table})`),
      ).rejects.toThrow('is no detached partition')
    },
  )
})

describe('a row of a wrong clock', () => {
  test('gets the partition of its month, and no other old month gets one', async () => {
    await createMonth('2026-11-15Z', 3)
    const before = await names()
    expect(await insert('2025-02-03Z')).toBe('request_log_rest')
    await createMonth('2026-11-15Z', 3)
    expect((await names()).filter((name) => !before.includes(name))).toEqual(['2025_02'])
  })

  test('of a month whose table exists apart does not stop the creation of other months', async () => {
    await createMonth('2025-05-01Z')
    await run('alter table request_log detach partition request_log_2025_05')
    expect(await insert('2025-05-03Z')).toBe('request_log_rest')
    await createMonth('2026-11-15Z', 5)
    expect(await names()).toContain('2027_04')
  })

  test('that is too old for a partition is deleted by its age', async () => {
    expect(await insert('2001-01-01Z')).toBe('request_log_rest')
    const before = await names()
    await createMonth('2026-11-15Z', 3)
    expect(await names()).toEqual(before)
    await purgeRequests.run(server.app, { signal: AbortSignal.timeout(30_000) } as never)
    expect(await server.sql.rows`select id from request_log where at < '2002-01-01Z'`).toEqual([])
  })
})

test('the migration keeps the rows and the statements of the previous release', async () => {
  const url = await createDatabase(null)
  const sql = openPool(url)
  onTestFinished(async () => {
    await sql.end()
    await dropDatabase(url)
  })
  const before = readMigrations().filter(({ version }) => version < 107)
  await migrate(url, {
    migrations: before,
    functions: readFunctions().filter(({ name }) => name !== 'partitions.sql'),
  })
  const store = (at: string, id: string) => sql.rows`
    insert into request_log (org_id, at, id, route, model, input_tokens, cached_input_tokens, cache_write_tokens,
      output_tokens, cost_minor, duration_ms, status)
    select 'org_1', ${at}::timestamptz, ${id}, '/v1', 'small-1', 1, 0, 0, 1, 1, 1, 200
    on conflict (org_id, at, id) do nothing`
  await sql.rows`select set_config('cowrie.reach', 'platform', false)`
  await store('2025-02-03Z', 'rql_1')
  const file = async () =>
    (
      await sql.one<{
        node: string
      }>`select pg_relation_filenode(min(tableoid::regclass::text)::regclass)::text as node
      from request_log where id = 'rql_1'`
    ).node
  const node = await file()
  await migrate(url)
  expect(await file()).toBe(node) // the table was not copied
  await store('2025-02-03Z', 'rql_1')
  await store('2025-02-04Z', 'rql_2')
  const deleted = await sql.rows`
    with old as (select org_id, at, id from request_log where at < '2025-02-04Z' order by at, id limit 10)
    delete from request_log r using old where r.org_id = old.org_id and r.at = old.at and r.id = old.id returning r.id`
  expect(deleted).toEqual([{ id: 'rql_1' }])
  expect(await sql.rows`select id from request_log`).toEqual([{ id: 'rql_2' }])
  expect(
    await sql.rows`select inhrelid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhparent
    where c.relname = 'request_log_by_time' and exists (select from pg_index x where x.indexrelid = inhrelid and not x.indisvalid)`,
  ).toEqual([])
})
