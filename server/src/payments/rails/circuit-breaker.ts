// Circuit breaker and concurrency limit for calls to a provider account. A call that is not made counts as `unknown`, which
// changes nothing and is retried later.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type AccountKey, recordFailure, recordRefusedKeys, recordSuccess } from './health.ts'
import { createHttpClient, type HttpClient, NoResponse } from './http-client.ts'

const CONCURRENT_MAX = 8
const WAITING_MAX = 64
const WAIT_MS = 5_000
const FAILURES_MAX = 5
const PAUSE_SECONDS = 30

/** Runs `query` when the circuit is closed and a slot is free. */
export async function withCircuitBreaker<Answer>(
  app: App,
  account: AccountKey,
  query: (http: HttpClient) => Promise<Answer>,
): Promise<Answer | NotCalled> {
  const breaker = breakerOf(app, account)
  const isPaused = () => breaker.pausedUntil > app.clock.now()
  if (isPaused()) return CIRCUIT_OPEN
  if (!(await breaker.enter())) return { status: 'unknown', reason: 'too many concurrent calls' }
  try {
    // The circuit may have opened during the wait.
    return isPaused() ? CIRCUIT_OPEN : await query(breakerClient(app, account, breaker))
  } finally {
    breaker.leave()
  }
}

type NotCalled = { readonly status: 'unknown'; readonly reason: string }

const CIRCUIT_OPEN: NotCalled = {
  status: 'unknown',
  reason: 'the circuit is open: the provider does not answer',
}

class CircuitBreaker {
  pausedUntil = new Date(0)
  #failures = 0
  #running = 0
  #waiting: ((entered: boolean) => void)[] = []

  /** Takes a slot. False when the queue is full or the wait timed out. */
  enter(): boolean | Promise<boolean> {
    if (this.#running < CONCURRENT_MAX) {
      this.#running++
      return true
    }
    if (this.#waiting.length >= WAITING_MAX) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((each) => each !== enter)
      resolve(false)
    }, WAIT_MS)
    const enter = () => {
      clearTimeout(timer)
      resolve(true)
    }
    this.#waiting.push(enter)
    return promise
  }

  /** Passes the slot to the call that has waited longest. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next(true)
    else this.#running--
  }

  success(): void {
    this.#failures = 0
  }

  /** After a pause one more failure opens the circuit again. True when the circuit opens. */
  failure(now: Date): boolean {
    if (++this.#failures < FAILURES_MAX) return false
    this.pausedUntil = after(now, { seconds: PAUSE_SECONDS })
    return true
  }
}

const breakers = new WeakMap<App, Map<string, CircuitBreaker>>()

function breakerOf(app: App, { name, account }: AccountKey): CircuitBreaker {
  const accounts = breakers.get(app) ?? new Map<string, CircuitBreaker>()
  breakers.set(app, accounts)
  const key = `${name} ${account}`
  const breaker = accounts.get(key) ?? new CircuitBreaker()
  accounts.set(key, breaker)
  return breaker
}

/** A client that reports outages to the breaker. An error reply of the provider itself is not an outage. */
function breakerClient(
  app: App,
  account: AccountKey,
  breaker: CircuitBreaker,
  timeoutMs?: number,
): HttpClient {
  return recordingClient(app, account, createHttpClient(app, timeoutMs), (isOutage) => {
    if (!isOutage) {
      breaker.success()
      return null
    }
    if (!breaker.failure(app.clock.now())) return null
    app.log.warn(
      { rail: account.name, account: account.account, pauseSeconds: PAUSE_SECONDS },
      'payments.circuit_breaker.open',
    )
    return breaker.pausedUntil
  })
}

/**
 * A client for calls that a payer waits for: an open circuit does not stop them. It reports outages, so that new payments and
 * checks use other accounts or wait.
 */
export const monitoredClient = (app: App, account: AccountKey, timeoutMs?: number): HttpClient =>
  breakerClient(app, account, breakerOf(app, account), timeoutMs)

/** Records the result of each call. `onResult` returns until when the circuit is open. */
function recordingClient(
  app: App,
  account: AccountKey,
  http: HttpClient,
  onResult: (isOutage: boolean) => Date | null,
): HttpClient {
  return {
    clock: http.clock,
    async call(address, request) {
      try {
        const response = await http.call(address, request)
        const { status } = response
        const isOutage = status >= 502 && status <= 504
        const pausedUntil = onResult(isOutage)
        if (isOutage) await recordFailure(app, account, `It answered with status ${status}.`, pausedUntil)
        else if (status === 401) await recordRefusedKeys(app, account, status)
        else await recordSuccess(app, account)
        return response
      } catch (error) {
        if (error instanceof NoResponse)
          await recordFailure(app, account, `No answer: ${error.message}`, onResult(true))
        throw error
      }
    },
  }
}
