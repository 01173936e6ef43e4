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
  // A slow database on a busy machine is not unavailable.
  const patient = { storeTimeoutMs: 30_000 }
  const open = (db: Db) => createRateLimiter(createPostgresStore(db, base.clock), limits, base.clock, patient)

  test.for(Object.entries(limits) as [BucketName, { requests: number }][])(
    'admit at most the limit of %s together, and at least 90 % of it',
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

  test('reject at the second when the first has used up the window', async () => {
    const [first, second] = [open(base.db), open(other)]
    await admitted(first, 'auth', '2001:db8::1', 20)
    expect(await second.check('auth', '2001:db8::2')).toMatchObject({ allowed: false, remaining: 0 })
    base.clock.advance({ seconds: 60 })
    expect(await second.check('auth', '2001:db8::2')).toMatchObject({ allowed: true, remaining: 19 })
  })
  test('reject money and sign-in requests without the database, and continue with the others', async () => {
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
