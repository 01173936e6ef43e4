// Between us and a provider: so many questions at once, and none for a while after it stopped answering. What is not
// asked is `unknown`, which changes nothing and is asked again later.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type AccountKey, recordFailure, recordSuccess } from './health.ts'
import { createHttpClient, type HttpClient, NoResponse } from './http-client.ts'

const CONCURRENT_MAX = 8
const WAITING_MAX = 64
const WAIT_MS = 5_000
const FAILURES_MAX = 5
const PAUSE_SECONDS = 30

/** Asks when there is room and the provider answers at all. */
export async function withCircuitBreaker<Answer>(
  app: App,
  account: AccountKey,
  ask: (http: HttpClient) => Promise<Answer>,
): Promise<Answer | NotCalled> {
  const gate = breakerOf(app, account)
  const isPaused = () => gate.pausedUntil > app.clock.now()
  if (isPaused()) return CIRCUIT_OPEN
  if (!(await gate.enter())) return { status: 'unknown', reason: 'too many questions at once' }
  try {
    // Those that waited may have waited for nothing.
    return isPaused() ? CIRCUIT_OPEN : await ask(breakerClient(app, account, gate))
  } finally {
    gate.leave()
  }
}

type NotCalled = { readonly status: 'unknown'; readonly reason: string }

const CIRCUIT_OPEN: NotCalled = {
  status: 'unknown',
  reason: 'the provider does not answer, and is left alone for a while',
}

class CircuitBreaker {
  pausedUntil = new Date(0)
  #silences = 0
  #running = 0
  #waiting: ((entered: boolean) => void)[] = []

  /** False when the wait was too long, or too many waited already. */
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

  /** Who waited longest takes the place of who leaves. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next(true)
    else this.#running--
  }

  success(): void {
    this.#silences = 0
  }

  /** After the pause the first silence ends it again. Says whether a pause began. */
  failure(now: Date): boolean {
    if (++this.#silences < FAILURES_MAX) return false
    this.pausedUntil = after(now, { seconds: PAUSE_SECONDS })
    return true
  }
}

const breakers = new WeakMap<App, Map<string, CircuitBreaker>>()

function breakerOf(app: App, { name, account }: AccountKey): CircuitBreaker {
  const accounts = breakers.get(app) ?? new Map<string, CircuitBreaker>()
  breakers.set(app, accounts)
  const key = `${name} ${account}`
  const gate = accounts.get(key) ?? new CircuitBreaker()
  accounts.set(key, gate)
  return gate
}

/** A line that tells the gate whether the provider answers at all. An error in the provider's own words is an answer. */
function breakerClient(app: App, account: AccountKey, gate: CircuitBreaker): HttpClient {
  return recordingClient(app, account, createHttpClient(app), (isSilent) => {
    if (!isSilent) {
      gate.success()
      return null
    }
    if (!gate.failure(app.clock.now())) return null
    app.log.warn({ pauseSeconds: PAUSE_SECONDS }, 'a payment provider does not answer')
    return gate.pausedUntil
  })
}

/** A line whose answers staff can see, for calls that wait for no gate because a payer waits for them. */
export const monitoredClient = (app: App, account: AccountKey, timeoutMs?: number): HttpClient =>
  recordingClient(app, account, createHttpClient(app, timeoutMs), () => null)

/** `heed` is told of every answer and every silence, and says until when the circuit is open. */
function recordingClient(
  app: App,
  account: AccountKey,
  http: HttpClient,
  heed: (isSilent: boolean) => Date | null,
): HttpClient {
  return {
    clock: http.clock,
    async call(address, request) {
      try {
        const answer = await http.call(address, request)
        const { status } = answer
        const isSilent = status >= 502 && status <= 504
        const pausedUntil = heed(isSilent)
        if (isSilent) await recordFailure(app, account, `It answered with status ${status}.`, pausedUntil)
        else if (status === 401) await recordFailure(app, account, 'It refused our keys (status 401).', null)
        else await recordSuccess(app, account)
        return answer
      } catch (error) {
        if (error instanceof NoResponse)
          await recordFailure(app, account, `No answer came: ${error.message}`, heed(true))
        throw error
      }
    },
  }
}
