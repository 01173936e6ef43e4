// Limits per host, with a manual timer.

import { handTimer, refusal, unending } from '@cowrie/testkit/platform/web.ts'
import { expect, test } from 'vitest'
import { createHostLimiter, type HostLimiter, type Timer } from './host-limiter.ts'

const turn = (host: string, { delayMs = 0, isThrottled = true, signal = unending() } = {}) => ({
  host,
  delayMs,
  isThrottled,
  signal,
})

/** The start time of each request. Every request releases its slot immediately. */
function startTimes(limiter: HostLimiter, timer: Timer, count: number, delayMs = 0): number[] {
  const startedAt: number[] = []
  for (let i = 0; i < count; i++)
    void limiter.acquire(turn('a.example', { delayMs })).then((release) => {
      startedAt.push(timer.now())
      release()
    })
  return startedAt
}

test('starts one request a second per host, in order of arrival', async () => {
  const timer = handTimer()
  const startedAt = startTimes(createHostLimiter(timer), timer, 4)
  await timer.pass(10_000)
  expect(startedAt).toEqual([0, 1_000, 2_000, 3_000])
})

test('respects a longer crawl delay of the host', async () => {
  const timer = handTimer()
  const startedAt = startTimes(createHostLimiter(timer), timer, 3, 4_000)
  await timer.pass(10_000)
  expect(startedAt).toEqual([0, 4_000, 8_000])
})

test('allows two requests per host at the same time', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer)
  const releases: (() => void)[] = []
  for (let i = 0; i < 3; i++)
    void limiter.acquire(turn('a.example')).then((release) => releases.push(release))
  await timer.pass(60_000)
  expect(releases.length).toBe(2)
  releases[0]?.()
  await timer.pass(0)
  expect(releases.length).toBe(3)
})

test('hosts do not wait for each other', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer)
  await limiter.acquire(turn('a.example'))
  await limiter.acquire(turn('b.example'))
  expect(timer.now()).toBe(0)
})

test('an aborted request leaves no gap in the queue and rejects with its own reason', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer)
  startTimes(limiter, timer, 1)
  const controller = new AbortController()
  const outcome = refusal(limiter.acquire(turn('a.example', { delayMs: 5_000, signal: controller.signal })))
  const after = startTimes(limiter, timer, 1)
  await timer.pass(500)
  controller.abort('enough')
  await timer.pass(10_000)
  expect(await outcome).toBe('enough')
  expect(after).toEqual([1_000])
})

test('rejects requests beyond the queue limit immediately', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer)
  const outcomes = Array.from({ length: 1_000 }, () => refusal(limiter.acquire(turn('a.example'))))
  await timer.pass(0)
  const refused = await Promise.all(outcomes.slice(21))
  expect(new Set(refused)).toEqual(new Set(['timeout']))
  await timer.pass(1_000)
  expect(await outcomes[1]).toBeNull()
})

test('tracks a limited number of hosts and drops idle ones first', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer, { hostsMax: 2 })
  const releaseA = await limiter.acquire(turn('a.example'))
  const releaseB = await limiter.acquire(turn('b.example'))
  releaseB()
  expect(await refusal(limiter.acquire(turn('c.example')))).toBe('timeout')
  await timer.pass(1_000)
  expect(await refusal(limiter.acquire(turn('c.example')))).toBeNull()
  releaseA()
})

/** Acquires a slot for each host and holds it. Returns the started hosts and their release functions. */
function holdSlots(limiter: HostLimiter, names: readonly string[], isThrottled = true) {
  const started: string[] = []
  const releases: (() => void)[] = []
  for (const name of names)
    void limiter.acquire(turn(name, { isThrottled })).then((release) => {
      started.push(name)
      releases.push(release)
    })
  return { started, releases }
}

test('limits the total number of open pages and starts the others in order', async () => {
  const timer = handTimer()
  const names = Array.from({ length: 30 }, (_, i) => `site${i}.example`)
  const { started, releases } = holdSlots(createHostLimiter(timer), names)
  await timer.pass(60_000)
  expect(started).toEqual(names.slice(0, 24))
  for (let gone = 0; gone < 30; gone++) {
    releases[gone]?.()
    await timer.pass(0)
    expect(started).toEqual(names.slice(0, 25 + gone))
  }
})

test('an allowlisted host counts towards the total limit', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer, { openMax: 3 })
  const own = holdSlots(
    limiter,
    Array.from({ length: 40 }, () => 'own.example'),
    false,
  )
  const other = holdSlots(limiter, ['a.example'])
  await timer.pass(0)
  expect([own.started.length, other.started.length]).toEqual([3, 0])
  for (let gone = 0; gone < 38; gone++) {
    own.releases[gone]?.()
    await timer.pass(0)
  }
  expect([own.started.length, other.started.length]).toEqual([40, 1])
})

test('a host keeps its interval and its order when total slots become free', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer, { openMax: 1 })
  const { started, releases } = holdSlots(limiter, ['a.example', 'b.example', 'b.example', 'c.example'])
  await timer.pass(5_000)
  releases[0]?.()
  await timer.pass(0)
  expect(started).toEqual(['a.example', 'b.example'])
  releases[1]?.()
  await timer.pass(0)
  expect(started.slice(2)).toEqual(['c.example'])
  releases[2]?.()
  await timer.pass(999)
  expect(started.length).toBe(3)
  await timer.pass(1)
  expect(started[3]).toBe('b.example')
})

test('an aborted wait for a total slot makes room for the next host', async () => {
  const timer = handTimer()
  const limiter = createHostLimiter(timer, { openMax: 1 })
  const release = await limiter.acquire(turn('a.example'))
  const controller = new AbortController()
  const outcome = refusal(limiter.acquire(turn('b.example', { signal: controller.signal })))
  const { started } = holdSlots(limiter, ['c.example'])
  await timer.pass(0)
  controller.abort('enough')
  expect(await outcome).toBe('enough')
  release()
  await timer.pass(0)
  expect(started).toEqual(['c.example'])
})
