import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'
import type { BucketName, LeaseStore } from './lease-store.ts'
import { addRateHeaders, createRateLimiter } from './rate.ts'
import { admitted, admittedAtOnce, limits, setUp } from './rate-fixture.ts'
import { createMemoryStore } from './stores/memory.ts'
import type { RateVerdict } from './window.ts'

function headersOf(verdict: RateVerdict): Record<string, string> {
  const headers: Record<string, string> = {}
  const add = (name: string, value: string) => {
    headers[name] = value
  }
  addRateHeaders({ add }, verdict)
  return headers
}

describe('one process', () => {
  test.for(Object.entries(limits) as [BucketName, { requests: number }][])(
    'admits exactly the limit of %s, sequentially or concurrently',
    async ([bucket, { requests }]) => {
      const { limiter } = setUp()
      expect(await admitted(limiter, bucket, '198.51.100.1', requests + 50)).toBe(requests)
      expect(await admittedAtOnce([limiter], bucket, '198.51.100.2', requests * 2)).toBe(requests)
    },
  )

  test('counts every bucket and every address separately', async () => {
    const { limiter } = setUp()
    expect(await admitted(limiter, 'auth', '198.51.100.1', 30)).toBe(20)
    expect(await admitted(limiter, 'auth', '198.51.100.2', 30)).toBe(20)
    expect(await admitted(limiter, 'money', '198.51.100.1', 70)).toBe(60)
  })

  test('counts an IPv6 /64 as one client, and IPv4-mapped IPv6 as IPv4', async () => {
    const { limiter } = setUp()
    let count = 0
    for (let i = 0; i < 1000; i++)
      if ((await limiter.check('auth', `2001:db8:1:2::${i.toString(16)}`)).allowed) count++
    expect(count).toBe(20)
    expect(await admitted(limiter, 'auth', '2001:db8:1:3::1', 1)).toBe(1)
    await admitted(limiter, 'auth', '::ffff:198.51.100.1', 15)
    expect(await admitted(limiter, 'auth', '198.51.100.1', 15)).toBe(5)
  })

  test('opens the next window after Retry-After, and not before', async () => {
    const { limiter, clock } = setUp()
    await admitted(limiter, 'auth', '198.51.100.1', 20)
    clock.advance({ ms: 10_400 })
    const refused = await limiter.check('auth', '198.51.100.1')
    expect(refused).toEqual({ allowed: false, limit: 20, remaining: 0, resetSeconds: 50, policy: '20;w=60' })
    clock.advance({ ms: 49_599 })
    expect(await admitted(limiter, 'auth', '198.51.100.1', 1)).toBe(0)
    clock.advance({ ms: 1 })
    expect(await admitted(limiter, 'auth', '198.51.100.1', 30)).toBe(20)
  })

  test('does not carry unspent tokens of a lease into the next window', async () => {
    const { limiter, clock } = setUp()
    await admitted(limiter, 'global', '198.51.100.1', 1)
    clock.advance({ seconds: 61 })
    expect(await admitted(limiter, 'global', '198.51.100.1', 1300)).toBe(1200)
  })

  test('returns the remaining requests, from 1199 to 0, and then the retry delay', async () => {
    const { limiter } = setUp()
    const remaining: number[] = []
    for (let i = 0; i < 1200; i++) remaining.push((await limiter.check('global', '198.51.100.1')).remaining)
    expect(remaining).toEqual(Array.from({ length: 1200 }, (_, i) => 1199 - i))

    expect(headersOf(await limiter.check('global', '198.51.100.1'))).toEqual({
      'ratelimit-limit': '1200',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '60',
      'ratelimit-policy': '1200;w=60',
      'retry-after': '60',
    })
    expect(headersOf(await limiter.check('auth', '198.51.100.1'))).toEqual({
      'ratelimit-limit': '20',
      'ratelimit-remaining': '19',
      'ratelimit-reset': '60',
      'ratelimit-policy': '20;w=60',
    })
  })

  test('drops a window that ends too late after the clock was set back', async () => {
    const { limiter, clock } = setUp()
    await admitted(limiter, 'auth', '198.51.100.1', 20)
    clock.advance({ hours: -1 })
    expect((await limiter.check('auth', '198.51.100.1')).resetSeconds).toBe(60)
  })

  test('rejects invalid limits', () => {
    const clock = new ManualClock()
    const create = (requests: number, seconds: number) => () =>
      createRateLimiter(createMemoryStore(clock), { ...limits, auth: { requests, seconds } }, clock)
    for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(create(wrong, 60)).toThrow('auth limit')
      expect(create(20, wrong)).toThrow('auth limit')
    }
  })
})

describe('the store', () => {
  test('is called once per lease, and verdicts between are synchronous', async () => {
    const { limiter, calls } = setUp()
    expect(limiter.check('global', '198.51.100.1')).toBeInstanceOf(Promise)
    await limiter.check('global', '198.51.100.1')
    for (let i = 2; i < 24; i++)
      expect(limiter.check('global', '198.51.100.1')).toMatchObject({ allowed: true })
    expect(calls).toHaveLength(1)
    await limiter.check('global', '198.51.100.1')
    expect(calls).toHaveLength(2)
  })

  test('is not called by a flood: an exhausted window is rejected from memory', async () => {
    const { limiter, calls } = setUp()
    await admitted(limiter, 'auth', '198.51.100.1', 20)
    const before = calls.length
    for (let i = 0; i < 10_000; i++)
      expect(limiter.check('auth', '198.51.100.1')).toMatchObject({ allowed: false })
    expect(calls.length).toBe(before)
  })

  test('is called once for all waiting addresses, each of them once', async () => {
    const { limiter, calls } = setUp()
    const verdicts = await Promise.all(
      Array.from({ length: 2_000 }, (_, i) => limiter.check('money', `198.18.${i % 4}.${(i >> 2) % 250}`)),
    )
    expect(verdicts.every((verdict) => verdict.allowed)).toBe(true)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toHaveLength(1_000)
    expect(calls[0]?.every((ask) => ask.want === 2)).toBe(true)
  })

  test('is called again for requests that arrive during a call', async () => {
    const clock = new ManualClock()
    const inner = createMemoryStore(clock)
    let answer: (() => void) | undefined
    const store: LeaseStore = {
      async take(asks) {
        const leases = await inner.take(asks)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return leases
      },
      close: inner.close,
    }
    const limiter = createRateLimiter(store, limits, clock)
    const verdicts: (boolean | undefined)[] = []
    const ask = () =>
      Promise.resolve(limiter.check('auth', '198.51.100.1')).then((v) => verdicts.push(v.allowed))
    const answered = async () => {
      await expect.poll(() => answer).toBeDefined()
      answer?.()
      answer = undefined
    }
    ask()
    await expect.poll(() => answer).toBeDefined()
    for (let i = 0; i < 25; i++) ask()
    await answered()
    await answered()
    await expect.poll(() => verdicts.length).toBe(26)
    expect(verdicts.filter(Boolean)).toHaveLength(20)
    expect(verdicts.indexOf(false)).toBe(20) // first come, first served
  })

  test('serves callers that return at any moment after their verdict', async () => {
    const { limiter } = setUp()
    for (let pauses = 0; pauses < 12; pauses++)
      for (let i = 0; i < 3; i++) {
        for (let pause = 0; pause < pauses; pause++) await null
        expect((await limiter.check('money', '198.51.100.1')).allowed).toBe(true)
      }
  })
})

describe('memory', () => {
  test('may drop a window, which is still exact when its client returns', async () => {
    const { limiter, calls } = setUp({ addressesMax: 10 })
    await admitted(limiter, 'auth', '198.51.100.1', 15)
    for (let i = 0; i < 100; i++) await limiter.check('auth', `198.18.0.${i}`)
    const before = calls.length
    expect(await admitted(limiter, 'auth', '198.51.100.1', 15)).toBe(5)
    expect(calls.length).toBeGreaterThan(before)
    expect(limiter.check('auth', '198.51.100.1')).toMatchObject({ allowed: false })
  })

  test('never drops a window with waiting requests', async () => {
    const { limiter } = setUp({ addressesMax: 5 })
    const verdicts = await Promise.all(
      Array.from({ length: 300 }, (_, i) => limiter.check('auth', `198.18.0.${i % 10}`)),
    )
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(200)
  })

  test('of waiting requests is limited: the others are treated as if the store were unavailable', async () => {
    const { limiter, state, clock } = setUp({ waitingMax: 3, storeTimeoutMs: 50 })
    state.hanging = true
    const results = Promise.allSettled(
      Array.from({ length: 5 }, () => limiter.check('money', '198.51.100.1')),
    )
    await expect(limiter.check('money', '198.51.100.2')).rejects.toMatchObject({ status: 503 })
    expect(limiter.check('global', '198.51.100.2')).toMatchObject({ allowed: true })
    expect((await results).every((result) => result.status === 'rejected')).toBe(true)
    state.hanging = false
    clock.advance({ seconds: 1 })
    expect(await admittedAtOnce([limiter], 'money', '198.51.100.3', 3)).toBe(3) // the places are free again
  })
})

test('closing settles waiting requests and rejects later ones', async () => {
  const { limiter } = setUp()
  const waiting = limiter.check('auth', '198.51.100.1')
  await limiter.close()
  expect(await waiting).toMatchObject({ allowed: true })
  await expect(limiter.check('auth', '198.51.100.1')).rejects.toMatchObject({ status: 503 })
})
