import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { testLeaseStore } from '@cowrie/testkit/platform/rate-store-contract.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../db/tx.ts'
import { createPostgresStore } from './postgres.ts'
import { takeLeases } from './sql.ts'

let base: TestDb
let replicas: Db[]
let opened = 0
beforeAll(async () => {
  base = await openTestDb()
  replicas = [base.db, base.openReplica()]
})
afterAll(() => base.close())

/** Alternates between the connections of two replicas. */
function open() {
  const db = replicas[opened++ % replicas.length] ?? base.db
  return { store: createPostgresStore(db, base.clock), clock: base.clock }
}
const countWindows = async () => {
  const { windows } = await base.sql.one<{
    windows: number
  }>`select count(*)::integer as windows from rate_windows`
  return windows
}

describe('the store in PostgreSQL', () => {
  testLeaseStore(open)

  test('deletes windows a minute after their end, except live ones', async () => {
    const { store, clock } = open()
    clock.advance({ hours: 3 })
    await store.sweep?.()
    expect(await countWindows()).toBe(0)

    const limit = { requests: 10, seconds: 60 }
    const asks = (count: number, bucket: string) =>
      Array.from({ length: count }, (_, i) => ({
        bucket,
        address: `198.18.${i >> 8}.${i & 255}`,
        want: 1,
        limit,
      }))
    await store.take(asks(2_300, 'global'))
    clock.advance({ seconds: 90 })
    await store.take(asks(5, 'auth'))
    expect(await store.sweep?.()).toBe(0)
    clock.advance({ seconds: 31 })
    expect(await store.sweep?.()).toBe(2_300)
    expect(await countWindows()).toBe(5)
  })

  test('skips windows that are being renewed', async () => {
    const { store, clock } = open()
    const ask = { bucket: 'global', address: '198.19.0.1', want: 1, limit: { requests: 9, seconds: 60 } }
    await store.take([ask])
    clock.advance({ minutes: 5 })
    await base.db.tx('platform', async (tx) => {
      await takeLeases(tx, [ask], tx.now)
      await store.sweep?.()
    })
    expect(await store.take([ask])).toMatchObject([{ used: 2 }])
  })

  test('keeps its counters out of the write-ahead log', async () => {
    const { persistence } = await base.sql.one<{ persistence: string }>`
      select relpersistence as persistence from pg_class where relname = 'rate_windows'`
    expect(persistence).toBe('u')
  })
})
