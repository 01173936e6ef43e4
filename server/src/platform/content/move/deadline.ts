// A server that stops answering is waited for, but not for ever.

/** Fails where the work has not ended in time. The work itself goes on until its connection is ended. */
export type WithDeadline = <T>(work: Promise<T>) => Promise<T>

const LOOK_EVERY_MS = 100
/** Work that was begun in time may end a little later. */
const GRACE_MS = 2_000

/** Waits for `mostMs`, and for a moment only from when `isOver` says so. */
export function createDeadline(mostMs: number, isOver: () => boolean): WithDeadline {
  return async (work) => {
    const late = Promise.withResolvers<never>()
    let until = performance.now() + mostMs
    let isHurried = false
    const timer = setInterval(() => {
      if (!isHurried && isOver()) {
        isHurried = true
        until = Math.min(until, performance.now() + GRACE_MS)
      }
      if (performance.now() >= until) late.reject(new Error('the other database did not answer in time'))
    }, LOOK_EVERY_MS)
    try {
      return await Promise.race([work, late.promise])
    } finally {
      clearInterval(timer)
    }
  }
}
