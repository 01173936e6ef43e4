// Windows that need a lease wait here. One store call at a time serves all of them.
import { assert, present } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { LeaseStore } from './lease-store.ts'
import { decide, leaseLocally, leaseSizeFor, type RateVerdict, receive, type Window } from './window.ts'

export type LeaseQueueOptions = {
  /** A store that takes longer counts as unavailable. */
  storeTimeoutMs: number
  /** No store calls for this long after a failure. */
  storePauseMs: number
  /** Requests that may wait for the store. Further ones are treated as if the store were unavailable. */
  waitingMax: number
  onStoreFailure: (error: unknown) => void
}

export type LeaseQueue = {
  /** The verdict on one more request of this window, by the store or, if that fails, locally. */
  wait(window: Window, nowMs: number): RateVerdict | Promise<RateVerdict>
  /** Settles all waiting requests. Later requests are treated as if the store were unavailable. */
  close(): Promise<void>
}

export function createLeaseQueue(store: LeaseStore, clock: Clock, options: LeaseQueueOptions): LeaseQueue {
  let queued: Window[] = []
  let waiting = 0
  let draining: Promise<void> | null = null
  let failedAtMs = Number.NEGATIVE_INFINITY
  let closed = false

  // The absolute difference, so that a clock set back cannot extend the pause.
  const isPaused = (nowMs: number) => Math.abs(nowMs - failedAtMs) < options.storePauseMs

  function enqueue(window: Window): void {
    queued.push(window)
    draining ??= drainQueue()
  }

  /** Requests leases for all waiting windows until none are left. */
  async function drainQueue(): Promise<void> {
    try {
      // Batches the requests of one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      while (queued.length > 0) {
        const batch = queued
        queued = []
        await requestLeases(batch)
      }
    } finally {
      // Synchronous with the last check of the queue, so that a later request starts the next batch.
      draining = null
    }
  }

  async function requestLeases(batch: Window[]): Promise<void> {
    const requests = batch.map((window) => {
      const { bucket, address } = window
      return { bucket: bucket.name, address, want: leaseSizeFor(window), limit: bucket.limit }
    })
    try {
      const leases = await within(options.storeTimeoutMs, store.take(requests))
      assert(leases.length === requests.length, 'every lease request has its lease')
      const nowMs = clock.now().getTime()
      for (const [i, window] of batch.entries()) {
        const { want } = present(requests[i], 'there is one lease request per window')
        const waitedBefore = window.waiters.length
        const needsMore = receive(window, present(leases[i], 'there is one lease per window'), want, nowMs)
        waiting -= waitedBefore - window.waiters.length
        if (needsMore) queued.push(window)
      }
    } catch (error) {
      // Requests queued meanwhile would only wait for the same failure.
      failedAtMs = clock.now().getTime()
      settleWithoutStore([...batch, ...queued])
      queued = []
      options.onStoreFailure(error)
    }
  }

  function settleWithoutStore(windows: Window[]): void {
    const nowMs = clock.now().getTime()
    for (const window of windows) {
      for (const waiter of window.waiters.splice(0)) {
        waiting--
        if (window.bucket.failsOpen) waiter.resolve(decideLocally(window, nowMs))
        else waiter.reject(storeUnavailable())
      }
    }
  }

  return {
    wait(window, nowMs) {
      if (closed || isPaused(nowMs) || waiting >= options.waitingMax)
        return window.bucket.failsOpen ? decideLocally(window, nowMs) : Promise.reject(storeUnavailable())

      waiting++
      return new Promise((resolve, reject) => {
        // A window with other waiting requests is already queued.
        if (window.waiters.push({ resolve, reject }) === 1) enqueue(window)
      })
    },
    async close() {
      closed = true
      await draining
    },
  }
}

function decideLocally(window: Window, nowMs: number): RateVerdict {
  const known = decide(window, nowMs)
  if (known !== null) return known
  leaseLocally(window, nowMs)
  return present(decide(window, nowMs), 'a window leased locally can be decided')
}

const storeUnavailable = (): ApiError =>
  new ApiError('busy', {
    error: 'The rate limit cannot be checked right now. Retry in a few seconds.',
  })

/** The result, or an error after the timeout. A late lease is lost, which only makes the limit stricter. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // A reply that has arrived while the process was busy is in time.
    const giveUp = () => setImmediate(() => reject(new Error(`no response within ${timeoutMs} ms`)))
    timer = setTimeout(giveUp, timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
