// When the SDK retries a failed attempt, and after how long.
import { CowrieError } from './errors.ts'
import { retryable } from './outcome.ts'

export const RETRIES_DEFAULT = 2
export const RETRIES_MAX = 10
const BACKOFF_FIRST_MS = 500
const BACKOFF_MAX_MS = 8_000
/** With a longer Retry-After the SDK does not wait: the caller gets the error with its `retryAfter` at once. */
const RETRY_AFTER_MAX_SECONDS = 30

/**
 * Milliseconds to wait before the next attempt, or null when there should be none. `attempt` is the one that failed, from 1.
 * The caller checks that the request is safe to repeat.
 */
export function waitBeforeRetry(
  failure: CowrieError,
  attempt: number,
  random: () => number = Math.random,
): number | null {
  if (!retryable(failure) || isLasting(failure)) return null
  if (failure.retryAfter !== null && failure.retryAfter > RETRY_AFTER_MAX_SECONDS) return null
  return pauseAfter(failure, attempt, random)
}

/**
 * Failures that last longer than a few attempts. A redirect or a foreign answer below 500 comes from a wrong base URL or a
 * sign-in page of the network. A stream that has begun is resumed by `collect`, `followResearch` and
 * `followTask`.
 */
const isLasting = ({ status, code }: CowrieError): boolean =>
  code === 'stream_cut' ||
  ((code === 'malformed_reply' || code === 'unexpected_redirect') && status < 500 && status !== 429)

export function pauseAfter(
  { retryAfter }: CowrieError,
  attempt: number,
  random: () => number = Math.random,
): number {
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1))
  // Full backoff with 50 % jitter, so that clients that failed together do not retry together.
  const jitteredMs = backoffMs / 2 + (random() * backoffMs) / 2
  return retryAfter === null ? jitteredMs : retryAfter * 1000 + random() * BACKOFF_FIRST_MS
}

export type Patience = {
  readonly signal?: AbortSignal | undefined
  /** How long to retry before the last failure is thrown. Default: 10 minutes. */
  readonly patienceMs?: number | undefined
}

export const PATIENCE_DEFAULT_MS = 10 * 60_000

/** Repeats a call that is safe to repeat while its failures are `retryable`: over a lost network or a restart of the service. */
export async function retryPatiently<T>(
  call: () => Promise<T>,
  { signal, patienceMs = PATIENCE_DEFAULT_MS }: Patience,
): Promise<T> {
  const sinceMs = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof CowrieError) || !retryable(error)) throw error
      const pauseMs = pauseAfter(error, attempt)
      if (performance.now() + pauseMs - sinceMs > patienceMs) throw error
      await wait(pauseMs, signal)
    }
  }
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

/** The header in seconds, from a number or a date; null when it is absent or invalid. */
export function readRetryAfter(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header)
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
