// Time that a piece of work may take, in one go or in several.
import { PageRefused } from './page.ts'

export type TimeBudget = { leftMs: number }

/** Work that obeys its signal: ended as `timeout` when its time is used up, and for the caller's reason when he ends it. */
export async function runWithin<T>(
  allowance: TimeBudget,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const began = performance.now()
  const timer = setTimeout(() => late.abort(new PageRefused('timeout')), allowance.leftMs)
  const either = AbortSignal.any([signal, late.signal])
  try {
    either.throwIfAborted()
    return await work(either)
  } catch (error) {
    throw either.aborted ? either.reason : error
  } finally {
    clearTimeout(timer)
    allowance.leftMs = Math.max(0, allowance.leftMs - (performance.now() - began))
  }
}

/** For work that others wait for as well, or that cannot be ended: it goes on, but we no longer wait. */
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
