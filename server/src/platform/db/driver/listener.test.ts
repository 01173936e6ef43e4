import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { openStallingProxy, type StallingProxy } from '@cowrie/testkit/platform/stalling-proxy.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDb, openDb } from '../open-db.ts'

let own: TestDb
let proxy: StallingProxy
let db: OpenDb
const warnings: string[] = []
beforeAll(async () => {
  own = await openTestDb()
  proxy = await openStallingProxy(own.url)
  db = openDb(proxy.url, {
    ...GENEROUS_TIMEOUTS,
    clock: own.clock,
    max: 2,
    onWarning: (_, event) => warnings.push(event),
  })
})
afterAll(async () => {
  await db.close()
  proxy.close()
  await own.close()
})

const listeners = () => own.sql.rows<{ pid: number }>`
  select pid from pg_stat_activity where datname = current_database() and query = 'listen cowrie'`

test('a listener whose session is terminated listens again and reports possibly missed notifications', async () => {
  const heard: (string | null)[] = []
  db.listen('topic', (id) => heard.push(id))
  await expect.poll(() => heard).toEqual([null])
  own.db.notify('topic', 'first')
  await expect.poll(() => heard).toEqual([null, 'first'])

  const [session] = await listeners()
  await own.sql.rows`select pg_terminate_backend(${session?.pid ?? 0}, 5000)`
  await expect.poll(() => heard).toEqual([null, 'first', null])
  own.db.notify('topic', 'second')
  await expect.poll(() => heard).toEqual([null, 'first', null, 'second'])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toBe('database.notify.listen_failed')
})

test('the listener ends with the pool', async () => {
  await db.close()
  await expect.poll(() => proxy.connections).toBe(0)
  await expect.poll(listeners).toEqual([])
})
