// Reasons to end a run early: a request to stop it, a disconnect of its stream, a shutdown, or the time limit.
import { RESTARTING } from '../../platform/http/reply/sse.ts'

export type RunStopSignals = {
  /** For the model: a dispatched turn is finished and charged even after a disconnect. */
  readonly turnSignal: AbortSignal
  /** Why no further turn may begin; null while it may. */
  reason(): 'stopped' | 'disconnected' | null
  stop(): void
  /** Starts to watch the stream of the client. */
  watch(closed: AbortSignal): void
}

// Shorter than the timeout of the route, so that the client learns how the run ended.
const RUN_MS = 10.5 * 60_000

export function createRunStopSignals(): RunStopSignals {
  const turn = new AbortController()
  let client: AbortSignal | null = null
  let isStopped = false
  const onDisconnect = () => {
    if (client?.reason === RESTARTING) turn.abort(RESTARTING)
  }
  return {
    turnSignal: AbortSignal.any([turn.signal, AbortSignal.timeout(RUN_MS)]),
    reason() {
      if (isStopped) return 'stopped'
      return client?.aborted ? 'disconnected' : null
    },
    stop() {
      isStopped = true
      turn.abort('stopped')
    },
    watch(closed) {
      client = closed
      if (closed.aborted) onDisconnect()
      else closed.addEventListener('abort', onDisconnect, { once: true })
    },
  }
}
