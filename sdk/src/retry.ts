// When a failed attempt is repeated, and after how long.
import type { CowrieError } from './errors.ts'

export const RETRIES_DEFAULT = 2
export const RETRIES_MAX = 10
const BACK_OFF_FIRST_MS = 500
const BACK_OFF_MAX_MS = 8_000
/** A service that asks for more patience than this is not waited for: the caller learns `retryAfter` at once. */
const RETRY_AFTER_MAX_SECONDS = 30

const PASSING_STATUSES = new Set([429, 502, 503, 504])
// The last is what a retry meets while the attempt whose answer was lost is still being worked on.
const PASSING_CODES = new Set<string>(['network_error', 'timeout', 'idempotency_in_progress'])

/** Whether the same request may well succeed a little later. */
export const isPassing = ({ status, code }: CowrieError): boolean =>
  PASSING_STATUSES.has(status) || PASSING_CODES.has(code)

/**
 * Milliseconds to wait before the next attempt, or null when there should be none. `attempt` is the one that failed, from 1. Whether the
 * request may be repeated at all is the caller's question, not this one's.
 */
export function waitBeforeRetry(
  failure: CowrieError,
  attempt: number,
  random: () => number = Math.random,
): number | null {
  if (!isPassing(failure)) return null
  if (failure.retryAfter !== null && failure.retryAfter > RETRY_AFTER_MAX_SECONDS) return null
  return pauseAfter(failure, attempt, random)
}

export function pauseAfter(
  { retryAfter }: CowrieError,
  attempt: number,
  random: () => number = Math.random,
): number {
  const backOffMs = Math.min(BACK_OFF_MAX_MS, BACK_OFF_FIRST_MS * 2 ** (attempt - 1))
  // Half is certain, half is chance: clients that failed together do not come back together.
  const jitteredMs = backOffMs / 2 + (random() * backOffMs) / 2
  return retryAfter === null ? jitteredMs : retryAfter * 1000 + random() * BACK_OFF_FIRST_MS
}

/** Resolves after this time, or rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The header in seconds, whether it counts them or names a date; null when it is absent or nonsense. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header)
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
