// Repeats calls over lost networks, restarts of the service and sleep, and says once that the service cannot be reached.
import { CowrieError, retryable } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'

export type ConnectionNote = { readonly note: 'offline' | 'online'; readonly detail: string }

export type Connection = {
  /** Repeats a call that may be repeated until it succeeds, fails with an error that stays, or the service was away for too long. */
  patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** After a failure: waits before the next attempt. Throws a failure that stays. `attempt` is the one that failed, from 1. */
  pauseAfter(error: unknown, attempt: number, signal: AbortSignal): Promise<void>
  /** The service has answered. */
  answered(): void
  readonly isOffline: boolean
}

const BACKOFF_FIRST_MS = 400
const BACKOFF_MAX_MS = 10_000
const RETRY_AFTER_MAX_MS = 5 * 60_000
/** A restart of the service or a short gap of the network is not worth a note. */
const QUIET_MS = 1_500
const PATIENCE_MS = 60 * 60_000
/** The service lets a repetition take over a request that died after 15 minutes, unless its operator changed that. */
const IN_PROGRESS_MS = 20 * 60_000

export function createConnection(
  onNote: (note: ConnectionNote) => void,
  {
    patienceMs = PATIENCE_MS,
    inProgressMs = IN_PROGRESS_MS,
    random = Math.random,
  }: { patienceMs?: number; inProgressMs?: number; random?: () => number } = {},
): Connection {
  /** Since when every call has failed. The clock stops while the computer sleeps. */
  let failingSinceMs: number | null = null
  let isOffline = false
  /** Ends the pauses of other calls as soon as one was answered. */
  let wake = new AbortController()

  function answered(): void {
    failingSinceMs = null
    if (!isOffline) return
    isOffline = false
    wake.abort()
    wake = new AbortController()
    onNote({ note: 'online', detail: 'The service answers again.' })
  }

  async function pauseAfter(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    // A turn that someone else has started can take hours, and waits for us.
    if (!(error instanceof CowrieError) || !retryable(error) || error.code === 'turn_running') throw error
    const nowMs = performance.now()
    failingSinceMs ??= nowMs
    const pauseMs = pauseOf(error, attempt, random)
    if (nowMs - failingSinceMs > patienceMs) throw tooLong(error, patienceMs)
    if (!isOffline && (nowMs - failingSinceMs > QUIET_MS || pauseMs > QUIET_MS)) {
      isOffline = true
      onNote({ note: 'offline', detail: error.message })
    }
    await pause(pauseMs, signal, wake.signal)
  }

  return {
    pauseAfter,
    answered,
    get isOffline() {
      return isOffline
    },
    async patiently(call, signal) {
      /** Since when each attempt was refused. Such an answer ends `failingSinceMs`, so it needs a limit for each call. */
      let refusedSinceMs: number | null = null
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted()
        try {
          const reply = await call()
          answered()
          return reply
        } catch (error) {
          // A refusal is an answer too.
          if (error instanceof CowrieError && error.status >= 400 && error.status < 500) {
            answered()
            refusedSinceMs ??= performance.now()
            const isInProgress = error.code === 'idempotency_in_progress'
            const limitMs = isInProgress ? Math.min(inProgressMs, patienceMs) : patienceMs
            if (retryable(error) && performance.now() - refusedSinceMs > limitMs)
              throw isInProgress ? stillInProgress(limitMs) : tooLong(error, limitMs)
          } else refusedSinceMs = null
          await pauseAfter(error, attempt, signal)
        }
      }
    },
  }
}

function pauseOf({ retryAfter }: CowrieError, attempt: number, random: () => number): number {
  if (retryAfter !== null)
    return Math.min(RETRY_AFTER_MAX_MS, retryAfter * 1000) + random() * BACKOFF_FIRST_MS
  const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1))
  return backoffMs / 2 + (random() * backoffMs) / 2
}

const tooLong = (error: CowrieError, patienceMs: number): Failure =>
  new Failure('service_away', `${error.message} This has lasted for ${timeText(patienceMs)}.`, {
    exit: EXIT.network,
    next: 'The session is stored. Continue it with "cowrie resume".',
  })

const stillInProgress = (limitMs: number): Failure =>
  new Failure(
    'request_in_progress',
    `The service has worked on this request for ${timeText(limitMs)} and has no answer yet. It charges the request only once.`,
    { exit: EXIT.pending, next: 'Continue later with "cowrie resume": it asks for the same answer.' },
  )

const timeText = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`

/** Ends early when `wake` aborts; rejects when `signal` does. */
function pause(ms: number, signal: AbortSignal, wake: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (isAborted: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      wake.removeEventListener('abort', awake)
      if (isAborted) reject(signal.reason)
      else resolve()
    }
    const stop = () => end(true)
    const awake = () => end(false)
    const timer = setTimeout(awake, ms)
    signal.addEventListener('abort', stop, { once: true })
    wake.addEventListener('abort', awake, { once: true })
    if (signal.aborted) stop()
  })
}
