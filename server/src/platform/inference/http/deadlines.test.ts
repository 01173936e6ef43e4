// How long we wait, by a clock that the test moves.
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
  test('that says nothing is given up after the time for its first word', () => {
    vi.advanceTimersByTime(9_990)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(20)
    expect(ended).toEqual(['the upstream did not begin to answer in time'])
  })

  test('that shows signs of life has twice that time, and no more', () => {
    for (let second = 0; second < 19; second++) {
      vi.advanceTimersByTime(1_000)
      watch.extendForComment()
    }
    expect(ended).toEqual([])
    vi.advanceTimersByTime(1_010)
    expect(ended).toHaveLength(1)
  })

  test('that falls silent is given up', () => {
    watch.waitForNextBytes()
    vi.advanceTimersByTime(2_000)
    watch.waitForNextBytes()
    vi.advanceTimersByTime(2_990)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(20)
    expect(ended).toEqual(['the upstream fell silent in the middle of its answer'])
  })

  test('is not blamed for a reader who is busy', () => {
    watch.waitForNextBytes()
    watch.pause()
    vi.advanceTimersByTime(30_000)
    expect(ended).toEqual([])
    watch.waitForNextBytes()
    vi.advanceTimersByTime(3_010)
    expect(ended).toHaveLength(1)
  })

  test('that trickles for ever is given up in the end', () => {
    for (let second = 0; second < 60; second++) {
      watch.waitForNextBytes()
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(10)
    expect(ended).toEqual(['the upstream took longer than a call may take'])
  })

  test('that has said everything is waited for a moment only', () => {
    watch.waitForNextBytes()
    watch.shorten(500)
    vi.advanceTimersByTime(510)
    expect(ended).toHaveLength(1)
  })

  test('that is done is not watched any more', () => {
    watch.stop()
    vi.advanceTimersByTime(100_000)
    expect(ended).toEqual([])
  })
})

test('a long prompt, and an answer that comes in one piece, have more time before their first byte', () => {
  const upstreamTimeouts = { connectMs: 500, firstByteMs: 25_000, idleMs: 60_000, totalMs: 600_000 }
  const app = { config: { upstreamTimeouts } } as App
  const firstByteMs = (promptTokens: number, wholeTokens: number) =>
    computeLimits(app, { promptTokens, wholeTokens }).firstByteMs
  expect(firstByteMs(0, 0)).toBe(25_000)
  expect(firstByteMs(20_000, 0)).toBe(35_000)
  expect(firstByteMs(1_000_000, 0)).toBe(85_000)
  expect(firstByteMs(0, 3_000)).toBe(125_000)
  expect(firstByteMs(0, 1_000_000)).toBe(600_000)
})
