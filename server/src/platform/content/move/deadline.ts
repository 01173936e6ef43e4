// Limits the wait for a database that stops answering.

/** Fails when the work has not ended in time. The work itself continues until its connection is closed. */
export type WithDeadline = <T>(work: Promise<T>) => Promise<T>

const CHECK_MS = 100
/** How long work may continue after `isOver` becomes true. */
const GRACE_MS = 2_000

/** Waits for at most `maxMs`, and at most `GRACE_MS` after `isOver` becomes true. */
export function createDeadline(maxMs: number, isOver: () => boolean): WithDeadline {
  return async (work) => {
    const late = Promise.withResolvers<never>()
    let until = performance.now() + maxMs
    let isShortened = false
    const timer = setInterval(() => {
      if (!isShortened && isOver()) {
        isShortened = true
        until = Math.min(until, performance.now() + GRACE_MS)
      }
      if (performance.now() >= until) late.reject(new Error('The dedicated database did not answer in time.'))
    }, CHECK_MS)
    try {
      return await Promise.race([work, late.promise])
    } finally {
      clearInterval(timer)
    }
  }
}
