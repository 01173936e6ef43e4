// External reasons to stop a loop: a request to stop it, client disconnect, shutdown, or time limit.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { RESTARTING } from '../../platform/http/reply/sse.ts'
import { WALL_CLOCK_MINUTES } from './limits.ts'
import type { LoopStopReason } from './schema.ts'

export type ExternalStop = Extract<LoopStopReason, 'cancelled' | 'interrupted' | 'wall_clock'>

export type LoopStopSignals = {
  /** For the model: a dispatched turn is finished and charged even after a disconnect, but not on shutdown. */
  readonly turnSignal: AbortSignal
  /** For the tests: killed on disconnect. */
  readonly testSignal: AbortSignal
  /** Why no further step may begin; null while it may. */
  reason(): ExternalStop | null
  /** Ends the turn in flight and the tests. */
  stop(): void
  /** Starts to watch for a disconnect. */
  watch(closed: AbortSignal): void
  /** Stops the timer. */
  clear(): void
}

const WALL_CLOCK = 'wall_clock'
const STOPPED = 'stopped'

export function createLoopStopSignals(app: App): LoopStopSignals {
  const turn = new AbortController()
  const tests = new AbortController()
  const deadline = after(app.clock.now(), { minutes: WALL_CLOCK_MINUTES })
  let client: AbortSignal | null = null
  const halt = (reason: string) => {
    turn.abort(reason)
    tests.abort(reason)
  }
  const timer = setTimeout(() => halt(WALL_CLOCK), WALL_CLOCK_MINUTES * 60_000).unref()

  function onDisconnect(): void {
    if (client?.reason === RESTARTING) halt(RESTARTING)
    else tests.abort()
  }

  return {
    turnSignal: turn.signal,
    testSignal: tests.signal,
    reason() {
      if (turn.signal.reason === RESTARTING) return 'interrupted'
      if (client?.aborted || turn.signal.reason === STOPPED) return 'cancelled'
      return turn.signal.aborted || app.clock.now() >= deadline ? 'wall_clock' : null
    },
    stop: () => halt(STOPPED),
    watch(closed) {
      client = closed
      if (closed.aborted) onDisconnect()
      else closed.addEventListener('abort', onDisconnect, { once: true })
    },
    clear: () => clearTimeout(timer),
  }
}

/** Thrown to end a loop in the middle of a step. */
export class LoopStopped extends Error {
  readonly reason: LoopStopReason
  constructor(reason: LoopStopReason) {
    super(`the loop ends: ${reason}`)
    this.name = 'Stopped'
    this.reason = reason
  }
}
