// What ends a loop from outside: its client goes, we go down, or its time is over.
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { RESTARTING } from '../../platform/http/reply/sse.ts'
import { WALL_CLOCK_MINUTES } from './limits.ts'
import type { LoopStopReason } from './schema.ts'

export type ExternalStop = Extract<LoopStopReason, 'cancelled' | 'interrupted' | 'wall_clock'>

export type StopSignals = {
  /** For the model: a turn that was dispatched is finished and paid although its client has gone. Not so when we go. */
  readonly turnSignal: AbortSignal
  /** For the tests: they are killed as soon as nobody waits for them. */
  readonly testSignal: AbortSignal
  /** Why nothing further may begin; null while it may. */
  reason(): ExternalStop | null
  /** From now on the client can go. */
  watch(closed: AbortSignal): void
  /** Lets go of the clock. */
  clear(): void
}

const WALL_CLOCK = 'wall_clock'

export function createStopSignals(app: App): StopSignals {
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
      if (client?.aborted) return 'cancelled'
      return turn.signal.aborted || app.clock.now() >= deadline ? 'wall_clock' : null
    },
    watch(closed) {
      client = closed
      if (closed.aborted) onDisconnect()
      else closed.addEventListener('abort', onDisconnect, { once: true })
    },
    clear: () => clearTimeout(timer),
  }
}

/** Thrown where a loop ends in the middle of something. */
export class LoopStopped extends Error {
  readonly reason: LoopStopReason
  constructor(reason: LoopStopReason) {
    super(`the loop ends: ${reason}`)
    this.name = 'Stopped'
    this.reason = reason
  }
}
