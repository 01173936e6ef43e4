// Timeouts, with fake timers.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../../app.ts'
import { computeLimits, DeadlineTimer } from './deadlines.ts'

const limits = {
  connectMs: 500,
  firstByteMs: 10_000,
  firstByteAliveMs: 20_000,
  idleMs: 3_000,
  totalMs: 60_000,
}
let ended: string[]
let watch: DeadlineTimer
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  ended = []
  watch = new DeadlineTimer(limits, ({ message }) => void ended.push(message))
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

describe('an upstream', () => {
  test('that sends nothing times out', () => {
    vi.advanceTimersByTime(9_990)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(20)
    expect(ended).toEqual(['the upstream did not start its answer in time'])
  })

  test('that sends comments has twice the time', () => {
    for (let second = 0; second < 19; second++) {
      vi.advanceTimersByTime(1_000)
      watch.extendForComment()
    }
    expect(ended).toEqual([])
    vi.advanceTimersByTime(1_010)
    expect(ended).toHaveLength(1)
  })

  test('that stops sending times out', () => {
    watch.waitForNextBytes()
    vi.advanceTimersByTime(2_000)
    watch.waitForNextBytes()
    vi.advanceTimersByTime(2_990)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(20)
    expect(ended).toEqual(['the upstream stopped sending before the end of its answer'])
  })

  test('does not time out while the reader is busy', () => {
    watch.waitForNextBytes()
    watch.pause()
    vi.advanceTimersByTime(30_000)
    expect(ended).toEqual([])
    watch.waitForNextBytes()
    vi.advanceTimersByTime(3_010)
    expect(ended).toHaveLength(1)
  })

  test('that never ends times out in total', () => {
    for (let second = 0; second < 60; second++) {
      watch.waitForNextBytes()
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(10)
    expect(ended).toEqual(['the upstream exceeded the total time of a call'])
  })

  test('has little time after its complete answer', () => {
    watch.waitForNextBytes()
    watch.shorten(500)
    vi.advanceTimersByTime(510)
    expect(ended).toHaveLength(1)
  })

  test('is not timed after the end of the call', () => {
    watch.stop()
    vi.advanceTimersByTime(100_000)
    expect(ended).toEqual([])
  })
})

test('a long prompt and an answer that is not streamed extend the time to the first byte', () => {
  const upstreamTimeouts = { connectMs: 500, firstByteMs: 25_000, idleMs: 60_000, totalMs: 600_000 }
  const app = { config: { upstreamTimeouts } } as App
  const firstByteMs = (promptTokens: number, unstreamedTokens: number) =>
    computeLimits(app, { promptTokens, unstreamedTokens }).firstByteMs
  expect(firstByteMs(0, 0)).toBe(25_000)
  expect(firstByteMs(20_000, 0)).toBe(35_000)
  expect(firstByteMs(1_000_000, 0)).toBe(85_000)
  expect(firstByteMs(0, 3_000)).toBe(125_000)
  expect(firstByteMs(0, 1_000_000)).toBe(600_000)
})
