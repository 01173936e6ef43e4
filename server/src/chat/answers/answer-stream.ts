// An answer while it is written: what has come, who listens, and whether anybody still wants it.
import { type EventStream, RESTARTING } from '../../platform/http/reply/sse.ts'

export type AnswerStream = {
  /** Aborts when nobody wants more of it, or when we go down: then the reason is `RESTARTING`, and it is free. */
  readonly signal: AbortSignal
  readonly text: string
  /** Whether the stream has begun: before that a refusal leaves nothing behind. */
  readonly hasStarted: boolean
  start(): void
  write(text: string): Promise<void>
  nextSeq(): number
  stop(): void
}

/**
 * Without a key nobody can come back for the answer: a client that goes away stops it. With one it goes on without a
 * listener, until it ends or is stopped.
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
