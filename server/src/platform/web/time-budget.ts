// A time budget that several pieces of work share.
import { PageRefused } from './page.ts'

export type TimeBudget = { leftMs: number }

/** Runs work that obeys its signal. Throws `timeout` when the budget is used up, or the caller's abort reason. */
export async function runWithin<T>(
  budget: TimeBudget,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const startedAt = performance.now()
  const timer = setTimeout(() => late.abort(new PageRefused('timeout')), budget.leftMs)
  const either = AbortSignal.any([signal, late.signal])
  try {
    either.throwIfAborted()
    return await work(either)
  } catch (error) {
    throw either.aborted ? either.reason : error
  } finally {
    clearTimeout(timer)
    budget.leftMs = Math.max(0, budget.leftMs - (performance.now() - startedAt))
  }
}

/** Stops waiting on abort. The work itself continues, because it is shared or cannot be cancelled. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
