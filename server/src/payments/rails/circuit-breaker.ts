// Between us and a provider: so many questions at once, and none for a while after it stopped answering. What is not
// asked is `unknown`, which changes nothing and is asked again later.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { type AccountName, noteFailure, noteSuccess } from './health.ts'
import { type Line, NoAnswer, openLine } from './http-client.ts'

const AT_ONCE = 8
const WAITING_MAX = 64
const WAIT_MS = 5_000
const SILENCES_MAX = 5
const PAUSE_SECONDS = 30

/** Asks when there is room and the provider answers at all. */
export async function throughGate<Answer>(
  app: App,
  account: AccountName,
  ask: (line: Line) => Promise<Answer>,
): Promise<Answer | Unasked> {
  const gate = gateOf(app, account)
  const isPaused = () => gate.pausedUntil > app.clock.now()
  if (isPaused()) return PAUSED
  if (!(await gate.enter())) return { status: 'unknown', reason: 'too many questions at once' }
  try {
    // Those that waited may have waited for nothing.
    return isPaused() ? PAUSED : await ask(watched(app, account, gate))
  } finally {
    gate.leave()
  }
}

type Unasked = { readonly status: 'unknown'; readonly reason: string }

const PAUSED: Unasked = {
  status: 'unknown',
  reason: 'the provider does not answer, and is left alone for a while',
}

class Gate {
  pausedUntil = new Date(0)
  #silences = 0
  #running = 0
  #waiting: ((entered: boolean) => void)[] = []

  /** False when the wait was too long, or too many waited already. */
  enter(): boolean | Promise<boolean> {
    if (this.#running < AT_ONCE) {
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

  heard(): void {
    this.#silences = 0
  }

  /** After the pause the first silence ends it again. Says whether a pause began. */
  silent(now: Date): boolean {
    if (++this.#silences < SILENCES_MAX) return false
    this.pausedUntil = after(now, { seconds: PAUSE_SECONDS })
    return true
  }
}

const gates = new WeakMap<App, Map<string, Gate>>()

function gateOf(app: App, { name, account }: AccountName): Gate {
  const accounts = gates.get(app) ?? new Map<string, Gate>()
  gates.set(app, accounts)
  const key = `${name} ${account}`
  const gate = accounts.get(key) ?? new Gate()
  accounts.set(key, gate)
  return gate
}

/** A line that tells the gate whether the provider answers at all. An error in the provider's own words is an answer. */
function watched(app: App, account: AccountName, gate: Gate): Line {
  return noting(app, account, openLine(app), (isSilent) => {
    if (!isSilent) {
      gate.heard()
      return null
    }
    if (!gate.silent(app.clock.now())) return null
    app.log.warn({ pauseSeconds: PAUSE_SECONDS }, 'a payment provider does not answer')
    return gate.pausedUntil
  })
}

/** A line whose answers staff can see, for calls that wait for no gate because a payer waits for them. */
export const observedLine = (app: App, account: AccountName, timeoutMs?: number): Line =>
  noting(app, account, openLine(app, timeoutMs), () => null)

/** `heed` is told of every answer and every silence, and says until when the circuit is open. */
function noting(app: App, account: AccountName, line: Line, heed: (isSilent: boolean) => Date | null): Line {
  return {
    clock: line.clock,
    async call(address, request) {
      try {
        const answer = await line.call(address, request)
        const { status } = answer
        const isSilent = status >= 502 && status <= 504
        const pausedUntil = heed(isSilent)
        if (isSilent) await noteFailure(app, account, `It answered with status ${status}.`, pausedUntil)
        else if (status === 401) await noteFailure(app, account, 'It refused our keys (status 401).', null)
        else await noteSuccess(app, account)
        return answer
      } catch (error) {
        if (error instanceof NoAnswer)
          await noteFailure(app, account, `No answer came: ${error.message}`, heed(true))
        throw error
      }
    },
  }
}
