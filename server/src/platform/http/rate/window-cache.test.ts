import { expect, test } from 'vitest'
import { createBucket, type Window } from './window.ts'
import { createWindowCache } from './window-cache.ts'

const nowMs = Date.parse('2026-11-15T09:00:00Z')
const bucket = createBucket('auth', { requests: 20, seconds: 60 }, false)
const waiter = { resolve: () => undefined, reject: () => undefined }

/** The window of an address, started as a lease would. */
function open(memory: ReturnType<typeof createWindowCache>, address: string, atMs = nowMs): Window {
  const window = memory.windowOf(address, atMs)
  if (window.resetsAtMs === 0) window.resetsAtMs = atMs + 60_000
  return window
}

test('a live window is found again, an ended one is replaced', () => {
  const memory = createWindowCache(bucket, 3)
  const first = open(memory, 'a')
  expect(memory.windowOf('a', nowMs + 59_999)).toBe(first)
  expect(memory.windowOf('a', nowMs + 60_000)).not.toBe(first)
  expect(memory.size).toBe(1)
})

test('the cache is limited, and the oldest windows are dropped first', () => {
  const memory = createWindowCache(bucket, 3)
  for (let i = 0; i < 10_000; i++) {
    open(memory, `address ${i}`)
    expect(memory.size).toBeLessThanOrEqual(3)
  }
  const youngest = open(memory, 'address 9999')
  expect(youngest.resetsAtMs).toBe(nowMs + 60_000)
  expect(memory.windowOf('address 9996', nowMs).resetsAtMs).toBe(0)
})

test('a renewed window counts as new', () => {
  const memory = createWindowCache(bucket, 2)
  open(memory, 'a')
  const b = open(memory, 'b', nowMs + 1)
  const renewed = open(memory, 'a', nowMs + 60_000)
  open(memory, 'c', nowMs + 60_000)
  expect(memory.windowOf('a', nowMs + 60_000)).toBe(renewed)
  expect(memory.windowOf('b', nowMs + 60_000)).not.toBe(b)
})

test('a window with waiting requests is kept, even above the limit', () => {
  const memory = createWindowCache(bucket, 2)
  const awaited = ['a', 'b', 'c'].map((address) => {
    const window = memory.windowOf(address, nowMs)
    window.waiters.push(waiter)
    return window
  })
  expect(memory.size).toBe(3)
  for (let i = 0; i < 10; i++) open(memory, `address ${i}`)
  for (const window of awaited) expect(memory.windowOf(window.address, nowMs)).toBe(window)

  for (const window of awaited) window.waiters = []
  open(memory, 'one more')
  expect(memory.size).toBe(2)
})
