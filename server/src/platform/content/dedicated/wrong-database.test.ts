// URLs that lead to the wrong dedicated database. No data is lost in any of these cases.

import { randomBytes } from 'node:crypto'
import {
  createDatabase,
  dropDatabase,
  startTestServer,
  type TestServer,
  withAdmin,
} from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { digestContent, seedContent } from '@cowrie/testkit/platform/content-fixtures.ts'
import { setPlacement } from '@cowrie/testkit/platform/placement-fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after } from '../../../kernel/clock.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { databaseNameIn } from '../../db/connection-url.ts'
import { openDb } from '../../db/open-db.ts'
import { openContent } from '../open-content.ts'
import { withConnection } from './database-admin.ts'
import { createDedicatedDatabases } from './dedicated-databases.ts'

const lonely = `lonely_${randomBytes(6).toString('hex')}`
const databases: string[] = []
const ends: (() => Promise<unknown>)[] = []
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await withAdmin((admin) => admin.unsafe(`create role ${lonely} login createdb`))
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await server.close()
  await withAdmin(async (admin) => {
    for (const name of databases) await admin.unsafe(`drop database if exists "${name}" with (force)`)
    await admin.unsafe(`drop role ${lonely}`)
  })
})

/** A replica with another URL for dedicated databases. */
function replica(dedicatedUrl: string | null) {
  const { url, clock, app } = server
  const dedicated = createDedicatedDatabases({ url, dedicatedUrl, clock, log: app.log })
  const db = openDb(url, { ...GENEROUS_TIMEOUTS, clock, role: 'cowrie_app', max: 4, dedicated })
  const content = openContent({ url, db, dedicated, clock, log: app.log })
  ends.push(
    () => db.close(),
    () => content.close(),
  )
  return {
    content,
    threads: async (org: OrgId) =>
      (await db.tx(org, (tx) => tx.content.rows`select id from chat_threads`)).length,
    startMove: (org: OrgId) => db.tx(org, (tx) => content.startMove(tx, org, 'dedicated')),
    resumeMove: (org: OrgId) => content.resumeMove(org, after(clock.now(), { minutes: 1 })),
  }
}

async function move(on: ReturnType<typeof replica>, org: OrgId): Promise<boolean> {
  await on.content.prepare(org, 'dedicated')
  await on.startMove(org)
  return on.resumeMove(org)
}

async function someOrg(): Promise<OrgId> {
  const { orgId, userId } = await server.person()
  databases.push(`cowrie_${orgId}`)
  await seedContent(server.sql, orgId, userId, 20)
  return orgId
}

const UNAVAILABLE = { code: 'isolation_unavailable' }
/** A URL that gives all organisations the same database. */
const forAll = (url: string) => `${url}${url.includes('?') ? '&' : '?'}application_name={org}`

describe('a URL that leads', () => {
  test('to the shared database is rejected, also for a move that has already started', async () => {
    const org = await someOrg()
    const before = await digestContent(server.sql, 'public', org)
    const wrong = replica(forAll(server.url))
    await expect(wrong.content.prepare(org, 'dedicated')).rejects.toMatchObject(UNAVAILABLE)
    await wrong.startMove(org)
    expect(await wrong.resumeMove(org)).toBe(false)
    await wrong.content.deleteContent(await someOrg())
    expect(await digestContent(server.sql, 'public', org)).toEqual(before)
    expect(await wrong.threads(org)).toBe(2)
  })

  test('to the database of another organisation is rejected, and deleting one keeps the other', async () => {
    const url = await createDatabase(null)
    ends.unshift(() => dropDatabase(url))
    const [first, second] = [await someOrg(), await someOrg()]
    const wrong = replica(forAll(url))
    await wrong.content.prepare(first, 'dedicated')
    await expect(wrong.content.prepare(second, 'dedicated')).rejects.toMatchObject(UNAVAILABLE)
    await setPlacement(server, second, 'dedicated', null)
    await expect(wrong.threads(second)).rejects.toMatchObject({ code: 'database_unavailable' })
    await expect(wrong.content.deleteContent(second)).rejects.toThrow(/does not belong to/)
    const left = await server.sql.rows`select 1 as n from pg_database where datname = ${databaseNameIn(url)}`
    expect(left).toHaveLength(1)

    await withConnection(url, (sql) => sql.rows`drop table content_owner`)
    await expect(wrong.content.prepare(first, 'dedicated'), 'without an owner record').rejects.toMatchObject(
      UNAVAILABLE,
    )
  })

  test('to an empty database does not make its organisation look empty', async () => {
    const org = await someOrg()
    await setPlacement(server, org, 'dedicated', null)
    await withAdmin((admin) => admin.unsafe(`create database "cowrie_${org}" template template0`))
    const later = replica(null)
    await expect(later.threads(org)).rejects.toMatchObject({ code: 'database_unavailable' })
    await expect(later.content.prepare(org, 'dedicated')).rejects.toMatchObject(UNAVAILABLE)
    await expect(later.threads(org)).rejects.toMatchObject({ code: 'database_unavailable' })
  })
})

describe('a server where the role of the service', () => {
  const there = () =>
    server.url.replace(/\/\/[^@]*@/, `//${lonely}@`).replace(databaseNameIn(server.url), 'cowrie_{org}')

  test('is not granted to the login role is used with the login role', async () => {
    const org = await someOrg()
    const elsewhere = replica(there())
    expect(await move(elsewhere, org)).toBe(true)
    expect(await elsewhere.threads(org)).toBe(2)
    const [made] = await server.sql.rows`
      select pg_encoding_to_char(encoding) as encoding from pg_database where datname = ${`cowrie_${org}`}`
    expect(made).toEqual({ encoding: 'UTF8' })
  })

  test('is granted but cannot be set is rejected before content moves', async () => {
    await withAdmin((admin) => admin.unsafe(`grant cowrie_app to ${lonely} with set false`))
    const org = await someOrg()
    await expect(replica(there()).content.prepare(org, 'dedicated')).rejects.toMatchObject(UNAVAILABLE)
    expect(server.logged.join()).toContain('permission denied to set role')
  })
})
