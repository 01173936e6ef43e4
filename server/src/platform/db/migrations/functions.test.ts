import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { openPool, type Pool } from '../pool.ts'
import { migrate } from './migrate.ts'
import { readFunctions, readMigrations, type SqlFile } from './sql-files.ts'

const BEFORE_FUNCTIONS = 45
const urls: string[] = []
const pools: Pool[] = []
afterAll(async () => {
  for (const pool of pools) await pool.end()
  for (const url of urls) await dropDatabase(url)
})

async function emptyDatabase(): Promise<{ url: string; sql: Pool }> {
  const url = await createDatabase(null)
  const sql = openPool(url)
  urls.push(url)
  pools.push(sql)
  return { url, sql }
}

/** A database in the state of the release before the function files. */
async function earlierDatabase(): Promise<{ url: string; sql: Pool }> {
  const database = await emptyDatabase()
  const migrations = readMigrations().filter(({ version }) => version <= BEFORE_FUNCTIONS)
  await migrate(database.url, { migrations })
  return database
}

const namesOf = (files: readonly SqlFile[]): string[] => files.map(({ name }) => `functions/${name}`)

async function sourceOf(sql: Pool, name: string): Promise<string> {
  const [row] = await sql.rows<{
    source: string
  }>`select prosrc as source from pg_proc where proname = ${name}`
  return row?.source ?? ''
}

/** Since the previous release. */
const MIGRATIONS = readMigrations()
  .filter(({ version }) => version > BEFORE_FUNCTIONS)
  .map(({ name }) => name)

describe('the function files', () => {
  test('are applied to a fresh database once', async () => {
    const { url } = await emptyDatabase()
    const { applied } = await migrate(url)
    expect(applied.filter((name) => name.startsWith('functions/'))).toEqual(namesOf(readFunctions()))
    expect((await migrate(url)).applied).toEqual([])
  })

  test('replace the functions of the previous release and keep its names valid beside the new ones', async () => {
    const { url, sql } = await earlierDatabase()
    await sql.unsafe(`create table notes (org_id text); call wall_by_org('notes')`)
    const { applied } = await migrate(url)
    expect(applied).toEqual([...MIGRATIONS, ...namesOf(readFunctions())])

    await sql.unsafe(`create table later (org_id text); call wall_by_org('later')`)
    const policies = await sql.rows<{ condition: string }>`
      select qual as condition from pg_policies where tablename in ('notes', 'later')`
    expect(policies).toHaveLength(2)
    for (const { condition } of policies) {
      expect(condition).toContain('tenant_scope()')
      expect(condition).not.toContain('current_reach()')
    }
    const [scope] = await sql.begin(async (tx) => {
      await tx.rows`select set_config('cowrie.reach', 'org_1', true)`
      return tx.rows`select current_reach() as old_name, tenant_scope() as new_name`
    })
    expect(scope).toEqual({ old_name: 'org_1', new_name: 'org_1' })
  })

  test('are applied again when their text changes, and an earlier text is not restored', async () => {
    const { url, sql } = await emptyDatabase()
    await migrate(url)
    const changed = readFunctions().map((file) =>
      file.name === 'invoices.sql'
        ? { ...file, text: file.text.replace('is never rewritten', 'is final'), checksum: 'changed' }
        : file,
    )
    const migrations = readMigrations()
    expect((await migrate(url, { migrations, functions: changed })).applied).toEqual([
      'functions/invoices.sql',
    ])
    expect(await sourceOf(sql, 'invoice_stays')).toContain('an invoice is final')

    expect((await migrate(url)).applied).toEqual([])
    expect(await sourceOf(sql, 'invoice_stays')).toContain('an invoice is final')
  })

  test('are all rolled back when one of them fails', async () => {
    const { url, sql } = await earlierDatabase()
    const [first, ...others] = readFunctions()
    const broken = { name: 'wrong.sql', text: 'select * from nowhere', checksum: 'wrong' }
    const functions = [...(first ? [first] : []), ...others, broken]
    await expect(migrate(url, { migrations: readMigrations(), functions })).rejects.toThrow(/nowhere/)
    expect(await sql.rows`select name from sql_functions`).toEqual([])
    expect((await migrate(url)).applied).toEqual(namesOf(readFunctions()))
  })

  test('are applied once when several replicas start at the same time', async () => {
    const { url, sql } = await earlierDatabase()
    const replicas = await Promise.all([migrate(url), migrate(url), migrate(url)])
    const applied = replicas.flatMap((replica) => replica.applied)
    const expected = [...MIGRATIONS, ...namesOf(readFunctions())]
    expect(applied.sort()).toEqual(expected.sort())
    expect(await sql.rows`select name from sql_functions`).toHaveLength(expected.length - MIGRATIONS.length)
  })
})
