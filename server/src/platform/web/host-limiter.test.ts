// Manners towards hosts, with time that passes by hand.

import { handTimer, refusal, unending } from '@cowrie/testkit/platform/web.ts'
import { expect, test } from 'vitest'
import { createHostLimiter, type HostLimiter, type Timer } from './host-limiter.ts'

const turn = (host: string, { delayMs = 0, isThrottled = true, signal = unending() } = {}) => ({
  host,
  delayMs,
  isThrottled,
  signal,
})

/** When each of so many got his turn; all leave at once. */
function visits(pace: HostLimiter, timer: Timer, count: number, delayMs = 0): number[] {
  const startedAt: number[] = []
  for (let i = 0; i < count; i++)
    void pace.acquire(turn('a.example', { delayMs })).then((leave) => {
      startedAt.push(timer.now())
      leave()
    })
  return startedAt
}

test('a host is asked once a second, in the order they came', async () => {
  const timer = handTimer()
  const startedAt = visits(createHostLimiter(timer), timer, 4)
  await timer.pass(10_000)
  expect(startedAt).toEqual([0, 1_000, 2_000, 3_000])
})

test('a host that asks for longer pauses gets them', async () => {
  const timer = handTimer()
  const startedAt = visits(createHostLimiter(timer), timer, 3, 4_000)
  await timer.pass(10_000)
  expect(startedAt).toEqual([0, 4_000, 8_000])
})

test('no more than two are at a host at once', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer)
  const leaving: (() => void)[] = []
  for (let i = 0; i < 3; i++) void pace.acquire(turn('a.example')).then((leave) => leaving.push(leave))
  await timer.pass(60_000)
  expect(leaving.length).toBe(2)
  leaving[0]?.()
  await timer.pass(0)
  expect(leaving.length).toBe(3)
})

test('hosts do not wait for each other', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer)
  await pace.acquire(turn('a.example'))
  await pace.acquire(turn('b.example'))
  expect(timer.now()).toBe(0)
})

test('who gives up leaves no gap, and hears his own reason', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer)
  visits(pace, timer, 1)
  const impatient = new AbortController()
  const given = refusal(pace.acquire(turn('a.example', { delayMs: 5_000, signal: impatient.signal })))
  const after = visits(pace, timer, 1)
  await timer.pass(500)
  impatient.abort('enough')
  await timer.pass(10_000)
  expect(await given).toBe('enough')
  expect(after).toEqual([1_000])
})

test('of a thousand at one host, those who would never get their turn are told at once', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer)
  const outcomes = Array.from({ length: 1_000 }, () => refusal(pace.acquire(turn('a.example'))))
  await timer.pass(0)
  const refused = await Promise.all(outcomes.slice(21))
  expect(new Set(refused)).toEqual(new Set(['timeout']))
  await timer.pass(1_000)
  expect(await outcomes[1]).toBeNull()
})

test('only so many hosts are kept in mind, and quiet ones are forgotten first', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer, { hostsMax: 2 })
  const leaveA = await pace.acquire(turn('a.example'))
  const leaveB = await pace.acquire(turn('b.example'))
  leaveB()
  expect(await refusal(pace.acquire(turn('c.example')))).toBe('timeout')
  await timer.pass(1_000)
  expect(await refusal(pace.acquire(turn('c.example')))).toBeNull()
  leaveA()
})

/** One after another enters and stays; who got his turn, and the ways to let them go. */
function guests(pace: HostLimiter, names: readonly string[], isThrottled = true) {
  const entered: string[] = []
  const leaving: (() => void)[] = []
  for (const name of names)
    void pace.acquire(turn(name, { isThrottled })).then((leave) => {
      entered.push(name)
      leaving.push(leave)
    })
  return { entered, leaving }
}

test('only so many pages are fetched at once, whatever their hosts, and the others follow in their order', async () => {
  const timer = handTimer()
  const names = Array.from({ length: 30 }, (_, i) => `site${i}.example`)
  const { entered, leaving } = guests(createHostLimiter(timer), names)
  await timer.pass(60_000)
  expect(entered).toEqual(names.slice(0, 24))
  for (let gone = 0; gone < 30; gone++) {
    leaving[gone]?.()
    await timer.pass(0)
    expect(entered).toEqual(names.slice(0, 25 + gone))
  }
})

test('a host that is not spared takes places like any other', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer, { openMax: 3 })
  const own = guests(
    pace,
    Array.from({ length: 40 }, () => 'own.example'),
    false,
  )
  const other = guests(pace, ['a.example'])
  await timer.pass(0)
  expect([own.entered.length, other.entered.length]).toEqual([3, 0])
  for (let gone = 0; gone < 38; gone++) {
    own.leaving[gone]?.()
    await timer.pass(0)
  }
  expect([own.entered.length, other.entered.length]).toEqual([40, 1])
})

test('a host waits its second also when places become free, and keeps its order among the others', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer, { openMax: 1 })
  const { entered, leaving } = guests(pace, ['a.example', 'b.example', 'b.example', 'c.example'])
  await timer.pass(5_000)
  leaving[0]?.()
  await timer.pass(0)
  expect(entered).toEqual(['a.example', 'b.example'])
  leaving[1]?.()
  await timer.pass(0)
  expect(entered.slice(2)).toEqual(['c.example'])
  leaving[2]?.()
  await timer.pass(999)
  expect(entered.length).toBe(3)
  await timer.pass(1)
  expect(entered[3]).toBe('b.example')
})

test('who gives up waiting for a place makes room for the next', async () => {
  const timer = handTimer()
  const pace = createHostLimiter(timer, { openMax: 1 })
  const leave = await pace.acquire(turn('a.example'))
  const impatient = new AbortController()
  const given = refusal(pace.acquire(turn('b.example', { signal: impatient.signal })))
  const { entered } = guests(pace, ['c.example'])
  await timer.pass(0)
  impatient.abort('enough')
  expect(await given).toBe('enough')
  leave()
  await timer.pass(0)
  expect(entered).toEqual(['c.example'])
})
