import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../platform/log/log.ts'
import { openFlagStore } from './store.ts'

let fixture: TestDb
const lines: string[] = []
const log = () =>
  createLog({
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
    clock: fixture.clock,
  })

beforeAll(async () => {
  fixture = await openTestDb()
  await fixture.sql.rows`insert into users (id, email, created_at) values ('usr_1', 'ops@example.com', now())`
  await fixture.sql.rows`
    insert into orgs (id, name, type, tier, currency, created_at)
    select 'org_' || n, 'x', 'individual', 'individual', 'NGN', now() from generate_series(1, 6000) n`
})
afterAll(() => fixture.close())

const addFlag = (key: string) => fixture.sql.rows`
  insert into flags (key, description, default_enabled, tier_overrides, updated_at, updated_by)
  values (${key}, '', false, '{}', now(), 'usr_1')`

test('a change without a notification is found by polling', async () => {
  const store = await openFlagStore(fixture.db, log(), { refreshMs: 30 })
  try {
    await addFlag('quiet')
    await expect.poll(() => store.find('quiet')?.defaultEnabled).toBe(false)
    await fixture.sql.rows`update flags set default_enabled = true where key = 'quiet'`
    await expect.poll(() => store.find('quiet')?.defaultEnabled).toBe(true)
    await fixture.sql.rows`delete from flags where key = 'quiet'`
    await expect.poll(() => store.find('quiet')).toBeUndefined()
  } finally {
    store.close()
  }
})

test('all pages of overrides are read, and later only newer ones', async () => {
  await addFlag('wide')
  await fixture.sql.rows`
    insert into flag_overrides (flag_key, org_id, enabled, updated_at, updated_by)
    select 'wide', 'org_' || n, n % 2 = 0, now(), 'usr_1' from generate_series(1, 6000) n`
  const store = await openFlagStore(fixture.db, log())
  try {
    const orgs = store.find('wide')?.orgs
    expect(orgs?.size).toBe(6_000)
    expect([orgs?.get('org_1'), orgs?.get('org_6000')]).toEqual([false, true])
    await fixture.sql.rows`update flag_overrides set enabled = null where org_id = 'org_6000'`
    await fixture.sql.rows`update flag_overrides set enabled = true where org_id = 'org_1'`
    await store.refresh()
    expect(store.find('wide')?.orgs).toBe(orgs)
    expect([orgs?.get('org_1'), orgs?.has('org_6000'), store.overrideCount()]).toEqual([true, false, 5_999])
  } finally {
    store.close()
  }
})

test('a flag that was deleted and created again between two reads has no overrides', async () => {
  const decide = () => fixture.sql.rows`
    insert into flag_overrides (flag_key, org_id, enabled, updated_at, updated_by)
    values ('anew', 'org_7', true, now(), 'usr_1')`
  await addFlag('anew')
  await decide()
  const store = await openFlagStore(fixture.db, log())
  try {
    expect(store.find('anew')?.orgs.size).toBe(1)
    await fixture.sql.rows`delete from flags where key = 'anew'`
    await addFlag('anew')
    await store.refresh()
    expect(store.find('anew')?.orgs.size).toBe(0)
  } finally {
    store.close()
  }
})

test('the last that was read stays in force while the database cannot be asked', async () => {
  await addFlag('firm')
  const store = await openFlagStore(fixture.db, log())
  await fixture.sql.rows`alter table flag_revision rename to elsewhere`
  try {
    await store.refresh()
    expect(store.find('firm')).toBeDefined()
    expect(lines.join()).toMatch(/"topic":"flags".*"database\.cache\.refresh_failed"/)
  } finally {
    await fixture.sql.rows`alter table elsewhere rename to flag_revision`
    store.close()
  }
})

test('a database that was put back to an earlier day is read from its beginning', async () => {
  await addFlag('back')
  await fixture.sql.rows`
    insert into flag_overrides (flag_key, org_id, enabled, updated_at, updated_by) values ('back', 'org_5', true, now(), 'usr_1')`
  const store = await openFlagStore(fixture.db, log())
  try {
    await fixture.sql.rows`alter table flag_overrides disable trigger user`
    await fixture.sql.rows`delete from flag_overrides where flag_key = 'back'`
    await fixture.sql.rows`update flag_revision set revision = revision - 1`
    await store.refresh()
    expect(store.find('back')?.orgs.size).toBe(0)
  } finally {
    await fixture.sql.rows`alter table flag_overrides enable trigger user`
    store.close()
  }
})
