import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../db/tx.ts'
import type { BucketName } from './lease-store.ts'
import { createRateLimiter } from './rate.ts'
import { admitted, admittedAtOnce, limits } from './rate-fixture.ts'
import { createPostgresStore } from './stores/postgres.ts'

describe('two processes over one database', () => {
  let base: TestDb
  let other: Db
  beforeAll(async () => {
    base = await openTestDb()
    other = base.openReplica()
  })
  afterAll(() => base.close())
  // A database that is slow because the machine is busy is not out of reach.
  const patient = { storeTimeoutMs: 30_000 }
  const open = (db: Db) => createRateLimiter(createPostgresStore(db, base.clock), limits, base.clock, patient)

  test.for(Object.entries(limits) as [BucketName, { requests: number }][])(
    'let at most the limit of %s through together, and at least nine tenths of it',
    async ([bucket, { requests }]) => {
      const replicas = [open(base.db), open(other)]
      const atOnce = await admittedAtOnce(replicas, bucket, '198.51.100.1', requests * 3)
      expect(atOnce).toBeLessThanOrEqual(requests)
      expect(atOnce).toBeGreaterThanOrEqual(0.9 * requests)

      const streams = await Promise.all(
        replicas.map((one) => admitted(one, bucket, '198.51.100.2', requests)),
      )
      const inTurn = streams.reduce((sum, count) => sum + count, 0)
      expect(inTurn).toBeLessThanOrEqual(requests)
      expect(inTurn).toBeGreaterThanOrEqual(0.9 * requests)
    },
  )

  test('refuse at the second what was used up at the first', async () => {
    const [first, second] = [open(base.db), open(other)]
    await admitted(first, 'auth', '2001:db8::1', 20)
    expect(await second.check('auth', '2001:db8::2')).toMatchObject({ allowed: false, remaining: 0 })
    base.clock.advance({ seconds: 60 })
    expect(await second.check('auth', '2001:db8::2')).toMatchObject({ allowed: true, remaining: 19 })
  })
  test('stop letting money and sign-ins through when the database goes, and go on with the rest', async () => {
    const db = base.openReplica()
    const failures: unknown[] = []
    const onStoreFailure = (error: unknown) => failures.push(error)
    const limiter = createRateLimiter(createPostgresStore(db, base.clock), limits, base.clock, {
      ...patient,
      onStoreFailure,
    })
    await limiter.check('global', '198.51.100.9')
    await db.close()
    await expect(limiter.check('money', '198.51.100.9')).rejects.toMatchObject({ status: 503, retryAfter: 2 })
    await expect(limiter.check('auth', '198.51.100.9')).rejects.toMatchObject({ status: 503, retryAfter: 2 })
    expect(await admitted(limiter, 'global', '198.51.100.9', 1300)).toBe(1199)
    expect(failures).toHaveLength(1)
  })
})
