// Every placement has the same tables, allows only its own role, and can be deleted completely.

import { startTestServer, type TestServer, withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import {
  countRows,
  describeSchema,
  digestContent,
  seedContent,
  templateOf,
} from '@cowrie/testkit/platform/content-fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { withDatabase } from '../db/connection-url.ts'
import { migrate, migrateDedicatedDatabase } from '../db/migrations/migrate.ts'
import { type Migration, readContentMigrations } from '../db/migrations/sql-files.ts'
import { openDb } from '../db/open-db.ts'
import type { Sql } from '../db/tx.ts'
import { readContentTables } from './content-tables.ts'
import { batchesOf } from './move/copy.ts'
import { openOwnerPool } from './table-location.ts'

let server: TestServer
const databases: OrgId[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
  for (const org of databases)
    await withAdmin((admin) => admin.unsafe(`drop database if exists "cowrie_${org}" with (force)`))
})

const ownUrl = (org: OrgId) => withDatabase(server.url, `cowrie_${org}`)

async function orgIn(to: 'schema' | 'dedicated' | 'shared', rows = 20) {
  const person = await server.person()
  const { orgId, userId } = person
  const { content, db, clock } = server.app
  await seedContent(server.sql, orgId, userId, rows)
  if (to === 'shared') return person
  if (to === 'dedicated') databases.push(orgId)
  await content.prepare(orgId, to)
  await db.tx(orgId, (tx) => content.startMove(tx, orgId, to))
  expect(await content.resumeMove(orgId, after(clock.now(), { minutes: 1 }))).toBe(true)
  return person
}

async function inOwn<T>(org: OrgId, look: (sql: Sql) => Promise<T>): Promise<T> {
  const own = openDb(ownUrl(org), { ...GENEROUS_TIMEOUTS, clock: server.clock, max: 1 })
  try {
    return await look(own.direct)
  } finally {
    await own.close()
  }
}

describe('a placement', () => {
  test('has tables that can be moved: parents with one unique key, and no self-references', async () => {
    const sql = openOwnerPool(server.url)
    try {
      const tables = await readContentTables({ sql, schema: 'public' })
      expect(tables.length).toBeGreaterThanOrEqual(5)
      for (const { name, parents, isParent } of tables) {
        expect(parents.map(({ table }) => table)).not.toContain(name)
        const unique = await server.sql.rows`
          select indexrelid from pg_index where indrelid = ${name}::text::regclass and indisunique`
        if (isParent) expect(unique, name).toHaveLength(1)
      }
    } finally {
      await sql.end()
    }
  })

  test('that was prepared only partly is completed', async () => {
    const { orgId } = await orgIn('shared')
    await server.sql.rows(templateOf(`create schema "${orgId}"`))
    await server.app.content.prepare(orgId, 'schema')
    await server.app.content.prepare(orgId, 'schema')
    expect(await describeSchema(server.sql, orgId)).toEqual(await describeSchema(server.sql, 'public'))
  })

  test('allows only its own role', async () => {
    const { orgId } = await orgIn('schema')
    const readers = await server.sql.rows<{ grantee: string }>`
      select distinct grantee from information_schema.role_table_grants
      where table_schema = ${orgId} and grantee <> current_user`
    expect(readers).toEqual([{ grantee: `cowrie_${orgId}` }])
  })
})

describe('a database that was restored on another server', () => {
  test('gets the roles of its schemas again', async () => {
    const { orgId } = await orgIn('schema')
    await server.sql.rows(templateOf(`drop owned by "cowrie_${orgId}"`))
    await server.sql.rows(templateOf(`drop role "cowrie_${orgId}"`))
    await migrate(server.url)
    const threads = await server.app.db.tx(orgId, (tx) => tx.content.rows`select id from chat_threads`)
    expect(threads).toHaveLength(2)
  })
})

describe('deleting content', () => {
  test.for(isSoak ? (['shared', 'schema', 'dedicated'] as const) : (['schema', 'dedicated'] as const))(
    'leaves nothing of a %s placement and can be repeated',
    async (to) => {
      const { orgId } = await orgIn(to)
      const others = await orgIn('shared')
      const theirs = await digestContent(server.sql, 'public', others.orgId)
      await server.app.content.deleteContent(orgId)
      await server.app.content.deleteContent(orgId)
      expect(countRows(await digestContent(server.sql, 'public', orgId))).toBe(0)
      expect(await digestContent(server.sql, 'public', others.orgId)).toEqual(theirs)
      const left = await server.sql.rows`
        select nspname as name from pg_namespace where nspname = ${orgId}
        union all select rolname from pg_roles where rolname = ${`cowrie_${orgId}`}
        union all select datname from pg_database where datname = ${`cowrie_${orgId}`}
        union all select org_id from content_places where org_id = ${orgId}
        union all select place from content_migrations where place = ${orgId}`
      expect(left).toEqual([])
      const threads = await server.app.db.tx(orgId, (tx) => tx.content.rows`select id from chat_threads`)
      expect(threads).toEqual([])
    },
  )

  test('ends a running move', async () => {
    const { orgId } = await orgIn('shared')
    const { content, db, clock } = server.app
    await content.prepare(orgId, 'schema')
    await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'schema'))
    await content.deleteContent(orgId)
    expect(await content.resumeMove(orgId, after(clock.now(), { minutes: 1 }))).toBe(true)
    expect(await db.tx(orgId, (tx) => content.placementOf(tx, orgId))).toEqual({
      isolation: 'shared',
      status: 'settled',
    })
  })
})

test('a lost dedicated database is not created again: its organisation gets an error, not empty content', async () => {
  const { orgId } = await orgIn('dedicated')
  await withAdmin((admin) => admin.unsafe(`drop database "cowrie_${orgId}" with (force)`))
  const look = () => server.app.db.tx(orgId, (tx) => tx.content.rows`select id from chat_threads`)
  await expect(look()).rejects.toMatchObject({ code: 'database_unavailable' })
  const made = await server.sql.rows`select 1 as found from pg_database where datname = ${`cowrie_${orgId}`}`
  expect(made).toEqual([])
})

describe('a batch', () => {
  test('ends before it becomes too large, and a large row is a batch by itself', () => {
    const keys = [3, 4, 9, 20, 1].map((sizeBytes, n) => ({ key: [String(n)], sizeBytes }))
    expect(batchesOf(keys, 10)).toEqual([[['0'], ['1']], [['2']], [['3']], [['4']]])
    expect(batchesOf([], 10)).toEqual([])
  })
})

// Last in this file, because afterwards the database is ahead of this build.
describe('a later content migration', () => {
  test('is applied to every placement, and all remain identical', async () => {
    const [{ orgId: inSchema }, { orgId: dedicated }] = [await orgIn('schema'), await orgIn('dedicated')]
    const files = [...readContentMigrations(), laterFile]
    const { applied } = await migrate(server.url, { contentMigrations: files })
    expect(applied).toEqual(expect.arrayContaining([`${inSchema}/0999_later.sql`, 'public/0999_later.sql']))
    await migrateDedicatedDatabase(ownUrl(dedicated), files)
    expect((await migrate(server.url, { contentMigrations: files })).applied).toEqual([])

    const shared = await describeSchema(server.sql, 'public')
    expect(shared.filter((line) => line.includes('content_later'))).not.toEqual([])
    expect(await describeSchema(server.sql, inSchema)).toEqual(shared)
    expect(await inOwn(dedicated, (sql) => describeSchema(sql, 'public'))).toEqual(shared)
    const count = await server.app.db.tx(
      inSchema,
      (tx) => tx.content.rows`insert into content_later (id, org_id) values ('x', ${inSchema}) returning id`,
    )
    expect(count).toHaveLength(1)
    await expect(
      migrate(server.url, {
        contentMigrations: [...files.slice(0, -1), { ...laterFile, checksum: 'other' }],
      }),
    ).rejects.toThrow(/was changed/)
  })

  test('makes an older replica leave moves to newer ones', async () => {
    const { orgId, userId } = await server.person()
    const { content, db, clock } = server.app
    await seedContent(server.sql, orgId, userId, 20)
    await content.prepare(orgId, 'schema')
    await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'schema'))
    expect(await content.resumeMove(orgId, after(clock.now(), { minutes: 1 }))).toBe(false)
    expect(await db.tx(orgId, (tx) => tx.content.rows`select id from chat_threads`)).toHaveLength(2)
  })
})

const laterFile: Migration = {
  version: 999,
  name: '0999_later.sql',
  checksum: 'later',
  text: `create table content_later (id text primary key, org_id text not null, at timestamptz default '2026-01-01');
    create index content_later_by_org on content_later (org_id, id);
    call public.keep_content('content_later');
    alter table chat_threads add column later text check (later <> '')`,
}
