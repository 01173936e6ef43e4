import { describe, expect, test } from 'vitest'
import { admitted, limits, setUp } from './rate-fixture.ts'

describe('while the store is unavailable', () => {
  test.for(['auth', 'money'] as const)('%s rejects with a 503 and a retry delay', async (bucket) => {
    const { limiter, state, failures } = setUp()
    state.failing = true
    await expect(limiter.check(bucket, '198.51.100.1')).rejects.toMatchObject({
      code: 'busy',
      status: 503,
      retryAfter: 2,
    })
    await expect(limiter.check(bucket, '198.51.100.1')).rejects.toMatchObject({ status: 503 })
    expect(failures).toHaveLength(1)
  })

  test.for(['global', 'webhook'] as const)(
    '%s continues with a local count, up to the limit',
    async (bucket) => {
      const { limiter, state, clock } = setUp()
      state.failing = true
      const { requests } = limits[bucket]
      expect(await admitted(limiter, bucket, '198.51.100.1', requests + 100)).toBe(requests)
      expect(await limiter.check(bucket, '198.51.100.1')).toMatchObject({ remaining: 0, resetSeconds: 60 })
      clock.advance({ seconds: 60 })
      expect(await admitted(limiter, bucket, '198.51.100.1', 1)).toBe(1)
    },
  )

  test('a partly used window continues with its count', async () => {
    const { limiter, state } = setUp()
    await admitted(limiter, 'global', '198.51.100.1', 1000)
    state.failing = true
    expect(await admitted(limiter, 'global', '198.51.100.1', 1000)).toBe(200)
  })

  test('a hanging store counts as failed after the timeout, for all waiting requests', async () => {
    const { limiter, state, failures, calls } = setUp({ storeTimeoutMs: 30 })
    state.hanging = true
    const results = await Promise.allSettled([
      limiter.check('auth', '198.51.100.1'),
      limiter.check('money', '198.51.100.1'),
      limiter.check('global', '198.51.100.1'),
    ])
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(failures).toMatchObject([{ message: 'no response within 30 ms' }])
    expect(calls).toHaveLength(1)
  })

  test('it is called once per pause instead of per request, and used again when it responds', async () => {
    const { limiter, state, clock, calls } = setUp()
    state.failing = true
    for (let i = 0; i < 500; i++) await limiter.check('global', `198.18.0.${i % 250}`)
    expect(calls).toHaveLength(1)
    clock.advance({ seconds: 1 })
    await expect(limiter.check('auth', '198.51.100.1')).rejects.toMatchObject({ status: 503 })
    expect(calls).toHaveLength(2)
    state.failing = false
    await expect(limiter.check('auth', '198.51.100.1')).rejects.toMatchObject({ status: 503 })
    clock.advance({ seconds: 1 })
    expect(await admitted(limiter, 'auth', '198.51.100.1', 30)).toBe(20)
  })

  test('a clock that is set back does not extend a pause', async () => {
    const { limiter, state, clock } = setUp()
    state.failing = true
    await expect(limiter.check('auth', '198.51.100.1')).rejects.toMatchObject({ status: 503 })
    state.failing = false
    clock.advance({ hours: -1 })
    expect(await admitted(limiter, 'auth', '198.51.100.1', 1)).toBe(1)
  })

  test('known rejections stay rejected', async () => {
    const { limiter, state } = setUp()
    await admitted(limiter, 'auth', '198.51.100.1', 20)
    state.failing = true
    expect(limiter.check('auth', '198.51.100.1')).toMatchObject({ allowed: false })
  })
})
