// Between us and a provider: so many questions at once, and none for a while after it stopped answering. What is not
// asked is `unknown`, which changes nothing and is asked again later.
import { after } from '../kernel/clock.ts'
import type { App } from '../platform/app.ts'
import { type Line, NoAnswer, openLine } from './rails/line.ts'
import type { RailName, Standing } from './rails/rail.ts'

const AT_ONCE = 8
const WAITING_MAX = 64
const WAIT_MS = 5_000
const SILENCES_MAX = 5
const PAUSE_SECONDS = 30

/** Asks when there is room and the provider answers at all. */
export async function throughGate(
  app: App,
  rail: RailName,
  ask: (line: Line) => Promise<Standing>,
): Promise<Standing> {
  const gate = gateOf(app, rail)
  const isPaused = () => gate.pausedUntil > app.clock.now()
  if (isPaused()) return PAUSED
  if (!(await gate.enter())) return { status: 'unknown', reason: 'too many questions at once' }
  try {
    // Those that waited may have waited for nothing.
    return isPaused() ? PAUSED : await ask(watched(app, gate))
  } finally {
    gate.leave()
  }
}

const PAUSED: Standing = {
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

const gates = new WeakMap<App, Map<RailName, Gate>>()

function gateOf(app: App, rail: RailName): Gate {
  const rails = gates.get(app) ?? new Map<RailName, Gate>()
  gates.set(app, rails)
  const gate = rails.get(rail) ?? new Gate()
  rails.set(rail, gate)
  return gate
}

/** A line that tells the gate whether anybody is at the other end. An error in the provider's own words is an answer. */
function watched(app: App, gate: Gate): Line {
  const line = openLine(app)
  const noteSilence = () => {
    if (gate.silent(app.clock.now()))
      app.log.warn({ pauseSeconds: PAUSE_SECONDS }, 'a payment provider does not answer')
  }
  return {
    clock: line.clock,
    async call(address, request) {
      try {
        const answer = await line.call(address, request)
        if (answer.status >= 502 && answer.status <= 504) noteSilence()
        else gate.heard()
        return answer
      } catch (error) {
        if (error instanceof NoAnswer) noteSilence()
        throw error
      }
    },
  }
}
