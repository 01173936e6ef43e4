import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { openStallingProxy, type StallingProxy } from '@cowrie/testkit/platform/stalling-proxy.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDb, openDb } from './open-db.ts'

let own: TestDb
let proxy: StallingProxy
let db: OpenDb
beforeAll(async () => {
  own = await openTestDb()
  proxy = await openStallingProxy(own.url)
  const timeouts = { statementTimeoutMs: 300, connectTimeoutMs: 500 }
  db = openDb(proxy.url, { clock: own.clock, role: 'cowrie_app', max: 4, ...timeouts })
})
afterAll(async () => {
  proxy.close()
  await db.close()
  await own.close()
})

test('a statement on a database that stops answering fails and frees its connection', async () => {
  await Promise.all([1, 2, 3, 4].map(() => db.tx('platform', async (tx) => tx.one`select 1 as one`)))
  const ready = Promise.withResolvers<void>()
  const stalled = Promise.withResolvers<void>()
  const committing = db.tx('platform', async (tx) => {
    await tx.one`select 1 as one`
    ready.resolve()
    await stalled.promise
  })
  await ready.promise
  proxy.stall(true)
  stalled.resolve()
  const refusals = [
    db.direct.rows`select 1 as one`,
    db.direct.rows`select 1 as one`,
    db.tx('platform', (tx) => tx.one`select 1 as one`),
  ].map((each) => expect(each).rejects.toMatchObject({ code: 'database_unavailable' }))
  await expect(committing).rejects.toMatchObject({ code: 'outcome_unknown' })
  await Promise.all(refusals)
  expect(db.usage()).toEqual({ inUse: 0, waiting: 0 })
})
