import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool, type Pool } from '../pool.ts'
import { MIGRATION_LOCK, migrate } from './migrate.ts'
import type { Migration } from './sql-files.ts'

const PATIENCE = { timeout: scaledTimeout(30_000) }
const QUICK = { waitMs: 50, attempts: 1_000, pauseMs: 20 }

let url: string
let sql: Pool
beforeAll(async () => {
  url = await createDatabase(null)
  sql = openPool(url, { max: 4 })
  await sql.unsafe('create table notes (id int primary key, text text)')
})
afterAll(async () => {
  await sql?.end()
  await dropDatabase(url)
})

let version = 0
const file = (text: string): Migration => {
  version++
  return { version, name: `000${version}_x.sql`, text, checksum: text }
}
const applied = async (): Promise<number[]> =>
  (await sql.rows<{ version: number }>`select version from schema_migrations order by version`).map(
    (row) => row.version,
  )

/** A query that the runbook recommends, by its beginning. */
function runbookQuery(start: string): string {
  const text = readFileSync(new URL('../../../../../deploy/RUNBOOK.md', import.meta.url), 'utf8')
  const found = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
  return found.find((code) => code.startsWith(start)) ?? ''
}

/** Holds a lock on the table until the returned function is called. */
async function useTable(): Promise<() => Promise<void>> {
  const holds = Promise.withResolvers<void>()
  const ends = Promise.withResolvers<void>()
  const ended = sql.begin(async (tx) => {
    await tx.rows`select id from notes`
    holds.resolve()
    await ends.promise
  })
  await holds.promise
  return async () => {
    ends.resolve()
    await ended
  }
}

describe('a migration whose table is in use', () => {
  test('lets other requests pass while it waits, and is applied afterwards', async () => {
    const release = await useTable()
    const step = file('alter table notes add column kind text')
    const migrated = migrate(url, { migrations: [step], locks: QUICK })
    const waiting = () => sql.rows`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(waiting, PATIENCE).toHaveLength(1)
    // A reader queues behind the waiting migration, and must be served before the table is free.
    expect(await sql.rows`select text from notes`).toEqual([])
    await release()
    expect((await migrated).applied).toEqual([step.name])
  })

  test('ends the start with its name when the table stays in use, and changes nothing', async () => {
    const release = await useTable()
    const before = await applied()
    const step = file('alter table notes add column other text')
    const migrations = [step]
    await expect(migrate(url, { migrations, locks: { ...QUICK, attempts: 3 } })).rejects.toThrow(
      `The migration ${step.name} did not get its locks`,
    )
    expect(await applied()).toEqual(before)
    const [oldest] = await sql.unsafe<{ query: string }>(
      runbookQuery('select pid, query from pg_stat_activity'),
    )
    expect(oldest?.query).toContain('from notes')
    await release()
    expect((await migrate(url, { migrations, locks: QUICK })).applied).toEqual([step.name])
  })
})

describe('a migration that builds an index concurrently', () => {
  const build = (name: string) =>
    `drop index concurrently if exists ${name}; create index concurrently ${name} on notes (text)`
  const isValid = async (name: string) =>
    (
      await sql.rows<{ valid: boolean }>`
        select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`
    ).map(({ valid }) => valid)

  test('lets writes pass, and is applied once by several processes', async () => {
    const step = file(build('notes_text'))
    const after = file('create table later (id int)')
    const migrations = [step, after]
    // The build waits for the transaction that uses the table.
    const release = await useTable()
    // One attempt: they must not block each other.
    const locks = { waitMs: 60_000, attempts: 1, pauseMs: 0 }
    const start = () => migrate(url, { migrations, locks })
    const replicas = [start()]
    await expect.poll(() => isValid('notes_text'), PATIENCE).toEqual([false])
    await sql.rows`insert into notes (id, text) values (1, 'written during the build')`
    replicas.push(start(), start())
    const processes = () => sql.rows`
      select pid from pg_stat_activity where datname = current_database()
      and query ~* 'advisory|commit|index concurrently' and query not like '%pg_stat_activity%'`
    await expect.poll(async () => (await processes()).length, PATIENCE).toBeGreaterThanOrEqual(3)
    await release()
    const names = (await Promise.all(replicas)).flatMap((result) => result.applied)
    expect(names.sort()).toEqual([step.name, after.name])
    expect(await isValid('notes_text')).toEqual([true])
  })

  test('is repeated after an interruption, and the invalid index is replaced', async () => {
    const step = file(build('notes_again'))
    const release = await useTable()
    const killed = migrate(url, { migrations: [step] }).catch((error: Error) => error)
    await expect.poll(() => isValid('notes_again'), PATIENCE).toEqual([false])
    await sql.rows`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and query like 'create index concurrently%' and pid <> pg_backend_pid()`
    expect(await killed).toBeInstanceOf(Error)
    await release()
    const invalid = () => sql.unsafe(runbookQuery('select indexrelid::regclass'))
    expect(await invalid()).toHaveLength(1)
    expect((await migrate(url, { migrations: [step] })).applied).toEqual([step.name])
    expect(await isValid('notes_again')).toEqual([true])
    expect(await invalid()).toEqual([])
  })

  test('waits while another process migrates', async () => {
    const step = file(build('notes_late'))
    const locked = Promise.withResolvers<void>()
    const freed = Promise.withResolvers<void>()
    const other = sql.begin(async (tx) => {
      await tx.rows`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
      locked.resolve()
      await freed.promise
    })
    await locked.promise
    const migrated = migrate(url, { migrations: [step] })
    const early = await Promise.race([migrated, pause(0, 'waiting')])
    expect(early).toBe('waiting')
    freed.resolve()
    await other
    expect((await migrated).applied).toEqual([step.name])
  })
})
