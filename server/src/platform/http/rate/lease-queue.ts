// Windows that need a lease wait here for the store: one call at a time, for all that wait.
import { assert, present } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { LeaseStore, RateOptions, RateVerdict } from './rate.ts'
import { decide, leaseLocally, leaseSizeFor, receive, type Window } from './window.ts'

export type LeaseQueue = {
  /** The verdict on one more request of this window: once the store has answered, or without it where it fails. */
  wait(window: Window, nowMs: number): RateVerdict | Promise<RateVerdict>
  /** Settles all who wait. Later requests are treated as if the store were out of reach. */
  close(): Promise<void>
}

export function createLeaseQueue(store: LeaseStore, clock: Clock, options: RateOptions): LeaseQueue {
  let queued: Window[] = []
  let waiting = 0
  let draining: Promise<void> | null = null
  let failedAtMs = Number.NEGATIVE_INFINITY
  let closed = false

  // The distance, so that a clock set back cannot stretch the pause.
  const isPaused = (nowMs: number) => Math.abs(nowMs - failedAtMs) < options.storePauseMs

  function enqueue(window: Window): void {
    queued.push(window)
    draining ??= drainQueue()
  }

  /** Asks for all that wait, and again for those who come meanwhile. */
  async function drainQueue(): Promise<void> {
    try {
      // Requests that arrive in the same turn of the event loop travel together.
      await new Promise((resolve) => setImmediate(resolve))
      while (queued.length > 0) {
        const batch = queued
        queued = []
        await askFor(batch)
      }
    } finally {
      // In the same step as the last look at the queue: whoever comes after it starts the next flight.
      draining = null
    }
  }

  async function askFor(batch: Window[]): Promise<void> {
    const asks = batch.map((window) => {
      const { bucket, address } = window
      return { bucket: bucket.name, address, want: leaseSizeFor(window), limit: bucket.limit }
    })
    try {
      const leases = await within(options.storeTimeoutMs, store.take(asks))
      assert(leases.length === asks.length, 'every ask has its lease')
      const nowMs = clock.now().getTime()
      for (const [i, window] of batch.entries()) {
        const { want } = present(asks[i], 'asks are as many as windows')
        const waitedBefore = window.waiters.length
        const asksAgain = receive(window, present(leases[i], 'leases too'), want, nowMs)
        waiting -= waitedBefore - window.waiters.length
        if (asksAgain) queued.push(window)
      }
    } catch (error) {
      // Those who came meanwhile would only wait for the same failure.
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
        // Whoever finds others waiting is served with them or after them.
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
    error: 'Requests cannot be counted right now, so this one was refused; retry shortly.',
  })

/** The result, or a failure when it takes too long. A late lease is lost, which only makes the limit tighter. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // An answer that lies there already, because the process was too busy to read it, is in time.
    const giveUp = () => setImmediate(() => reject(new Error(`no answer within ${timeoutMs} ms`)))
    timer = setTimeout(giveUp, timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
