// The caller of an answer: receives a stream from its first word on, and may leave at any time.
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { RecordedStream } from '../../platform/http/idempotency/recorded-stream.ts'
import { type EventStream, KEEP_ALIVE, RESTARTING } from '../../platform/http/reply/sse.ts'
import { BoundReached } from '../../platform/inference/patience.ts'

const HURRY_MS = 3_000
/** What says nothing yet is not gathered beyond this: then the stream begins with it. */
const EARLY_MAX_BYTES = 64 * 1024
/** What is kept of a stream under a key. A longer one is cut here, as it is at its ceiling, so that a replay has all of it. */
const RECORD_MAX_BYTES = 16 * 1024 * 1024
const SENT = Promise.resolve()
const NEVER = new AbortController().signal

export type StreamOutputOptions = {
  readonly once: Once
  readonly gone: AbortSignal
  readonly open: () => EventStream
  /** After this long without a byte of the answer the stream begins with a keep-alive. */
  readonly silenceMs: number
  /** An error that ends the stream, in the caller's wire. */
  readonly errorText: (refusal: object) => object | string
}

/** Work under a key goes on when its caller has left: a retry gets the outcome. */
export const callerSignal = (once: Once, gone: AbortSignal): AbortSignal => (once.isKeyed ? NEVER : gone)

export class StreamOutput {
  /** Aborts when the answer is no longer wanted; the reason says whether we shut down, or is the refusal to answer with. */
  readonly signal: AbortSignal
  readonly #ended = new AbortController()
  readonly #options: StreamOutputOptions
  #stream: EventStream | null = null
  #early: Uint8Array[] = []
  #earlyBytes = 0
  #hurryTimer: NodeJS.Timeout | undefined
  #silenceTimer: NodeJS.Timeout | undefined
  #record: Uint8Array[] = []
  #recordBytes = 0

  constructor(options: StreamOutputOptions) {
    this.#options = options
    this.signal = this.#ended.signal
    this.#follow(callerSignal(options.once, options.gone))
  }

  get isOpen(): boolean {
    return this.#stream !== null
  }

  /** From now on an upstream is waited for: its silence is bridged, so that nobody on the way hangs up. */
  awaitFirstByte(): void {
    this.#silenceTimer ??= setTimeout(
      () => this.#attempt(() => this.#bridge()),
      this.#options.silenceMs,
    ).unref()
  }

  /** The first bytes open the stream: up to then a failure still has a status of its own. */
  send(bytes: string | Uint8Array): Promise<void> {
    this.#keepRecord(bytes)
    return this.#send(bytes)
  }

  /** What says nothing yet, and goes ahead of the first bytes that do; or by itself when those take long or it is much. */
  keep(bytes: Uint8Array): Promise<void> {
    if (this.#stream) return this.send(bytes)
    this.#keepRecord(bytes)
    this.#early.push(bytes)
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > EARLY_MAX_BYTES) return this.#send('')
    this.#hurryTimer ??= setTimeout(() => this.#attempt(() => this.#sendEarly()), HURRY_MS).unref()
    return SENT
  }

  /** The answer has ended: nothing more is sent by itself, and what was kept is not worth sending. */
  stop(): void {
    clearTimeout(this.#hurryTimer)
    clearTimeout(this.#silenceTimer)
    this.#early = []
  }

  /** All that was sent, for storing, and the end that follows it. */
  recorded(end: string): RecordedStream {
    return new RecordedStream(Buffer.concat(this.#record).toString(), end)
  }

  #send(bytes: string | Uint8Array): Promise<void> {
    if (this.signal.aborted || this.#options.gone.aborted) return SENT
    this.#stream ??= this.#begin()
    if (this.#early.length === 0) return this.#stream.sendRaw(bytes)
    return this.#stream.sendRaw(Buffer.concat([...this.#early.splice(0), Buffer.from(bytes)]))
  }

  #keepRecord(bytes: string | Uint8Array): void {
    if (!this.#options.once.isKeyed) return
    const piece = Buffer.from(bytes)
    this.#recordBytes += piece.length
    if (this.#recordBytes > RECORD_MAX_BYTES)
      throw new BoundReached('failed', 'the stream is longer than what is kept for a replay')
    this.#record.push(piece)
  }

  /** A stream that may not begin is a refusal, and only the call itself can answer with it. */
  #attempt(work: () => Promise<void>): void {
    work().catch((refusal) => this.#ended.abort(refusal))
  }

  async #sendEarly(): Promise<void> {
    if (this.#early.length > 0) await this.#send('')
  }

  async #bridge(): Promise<void> {
    if (!this.#stream) await this.#send(KEEP_ALIVE)
  }

  #begin(): EventStream {
    clearTimeout(this.#silenceTimer)
    const stream = this.#options.open()
    stream.formatErrors(this.#options.errorText)
    this.#follow(stream.closed)
    return stream
  }

  #follow(gone: AbortSignal): void {
    const leave = () => {
      if (!this.#options.once.isKeyed || gone.reason === RESTARTING) this.#ended.abort(gone.reason)
    }
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  }
}
