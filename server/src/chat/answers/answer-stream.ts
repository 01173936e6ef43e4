// A running answer: its text so far, the client stream, and the signal that stops it.
import { type EventStream, RESTARTING } from '../../platform/http/reply/sse.ts'

export type AnswerStream = {
  /** Aborts on a stop request or disconnect. On shutdown the reason is `RESTARTING`, and the answer is free. */
  readonly signal: AbortSignal
  readonly text: string
  /** Whether the stream has started. Before that, a refused turn is deleted. */
  readonly hasStarted: boolean
  start(): void
  write(text: string): Promise<void>
  nextSeq(): number
  stop(): void
}

/**
 * Without an idempotency key the client cannot fetch the answer later, so a disconnect stops it. With a key the answer
 * continues until it finishes or is stopped.
 */
export function createAnswerStream(open: () => EventStream, isKeyed: boolean): AnswerStream {
  const abort = new AbortController()
  let stream: EventStream | undefined
  let text = ''
  let seq = 0

  function onClosed({ closed }: EventStream): void {
    if (closed.reason === RESTARTING) abort.abort(RESTARTING)
    else if (!isKeyed) abort.abort()
  }

  return {
    signal: abort.signal,
    get text() {
      return text
    },
    get hasStarted() {
      return stream !== undefined
    },
    start() {
      const opened = open()
      stream = opened
      if (opened.closed.aborted) onClosed(opened)
      else opened.closed.addEventListener('abort', () => onClosed(opened), { once: true })
    },
    async write(delta) {
      text += delta
      await stream?.send({ delta, seq: ++seq })
    },
    nextSeq: () => ++seq,
    stop: () => abort.abort(),
  }
}
