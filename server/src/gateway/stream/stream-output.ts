// The stream to the client: it opens with the first output, and the client may disconnect at any time.
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { RecordedStream } from '../../platform/http/idempotency/recorded-stream.ts'
import { type EventStream, KEEP_ALIVE, RESTARTING } from '../../platform/http/reply/sse.ts'
import { LimitReached } from '../../platform/inference/http/deadlines.ts'

const HURRY_MS = 3_000
/** The most bytes that are withheld before the first text. */
const EARLY_MAX_BYTES = 64 * 1024
/** The longest recorded stream under an idempotency key. A longer one is cut, so that a replay is complete. */
const RECORD_MAX_BYTES = 16 * 1024 * 1024
const SENT = Promise.resolve()

export type StreamOutputOptions = {
  readonly once: Once
  readonly gone: AbortSignal
  readonly open: () => EventStream
  /** After this long without output the stream opens with a keep-alive comment. */
  readonly silenceMs: number
  /** Formats an error that ends the stream for the protocol of the client. */
  readonly errorText: (refusal: object) => object | string
  /** Keeps an idle stream open. Default: an SSE comment. */
  readonly keepAlive?: string
}

/** Work under a key continues after a disconnect, because a retry gets its outcome. A shared signal would keep all its listeners. */
export const callerSignal = (once: Once, gone: AbortSignal): AbortSignal =>
  once.isKeyed ? new AbortController().signal : gone

export class StreamOutput {
  /** Aborts when the work must end. The reason is RESTARTING at shutdown, or the error to respond with. */
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
  #isDelivered = false
  #firstOutputAtMs: number | null = null

  constructor(options: StreamOutputOptions) {
    this.#options = options
    this.signal = this.#ended.signal
    this.#follow(callerSignal(options.once, options.gone))
  }

  get isOpen(): boolean {
    return this.#stream !== null
  }

  /** Whether a part of the answer was sent. Keep-alives are none. */
  get isDelivered(): boolean {
    return this.#isDelivered
  }

  /** When the first output was sent, by `performance.now()`; null before that. */
  get firstOutputAtMs(): number | null {
    return this.#firstOutputAtMs
  }

  /** Drops the withheld bytes of a failed attempt, so that another provider can answer. */
  reset(): void {
    this.stop()
    this.#earlyBytes = 0
    this.#record = []
    this.#recordBytes = 0
  }

  /** Starts the keep-alive timer, so that proxies do not close an idle connection. */
  awaitFirstByte(): void {
    this.#silenceTimer ??= setTimeout(
      () => this.#attempt(() => this.#bridge()),
      this.#options.silenceMs,
    ).unref()
  }

  /** The first bytes open the stream. Before that an error can still be an HTTP status. */
  send(bytes: string | Uint8Array): Promise<void> {
    this.#keepRecord(bytes)
    this.#markDelivered()
    return this.#send(bytes)
  }

  /** Withholds bytes before the first text. They are sent with it, or earlier after a delay or when they are many. */
  keep(bytes: Uint8Array): Promise<void> {
    if (this.#stream) return this.send(bytes)
    this.#keepRecord(bytes)
    this.#early.push(bytes)
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > EARLY_MAX_BYTES) return this.#sendEarly()
    this.#hurryTimer ??= setTimeout(() => this.#attempt(() => this.#sendEarly()), HURRY_MS).unref()
    return SENT
  }

  /** Stops the timers and drops withheld bytes, when the answer has ended. */
  stop(): void {
    clearTimeout(this.#hurryTimer)
    clearTimeout(this.#silenceTimer)
    this.#hurryTimer = undefined
    this.#silenceTimer = undefined
    this.#early = []
  }

  /** Everything that was sent, for storing, followed by the end. */
  recorded(end: string): RecordedStream {
    return new RecordedStream(Buffer.concat(this.#record).toString(), end)
  }

  #send(bytes: string | Uint8Array): Promise<void> {
    if (this.signal.aborted || this.#options.gone.aborted) return SENT
    this.#stream ??= this.#begin()
    if (this.#early.length === 0) return this.#stream.sendRaw(bytes)
    return this.#stream.sendRaw(Buffer.concat([...this.#early.splice(0), Buffer.from(bytes)]))
  }

  #markDelivered(): void {
    this.#isDelivered = true
    this.#firstOutputAtMs ??= performance.now()
  }

  #keepRecord(bytes: string | Uint8Array): void {
    if (!this.#options.once.isKeyed) return
    const piece = Buffer.from(bytes)
    this.#recordBytes += piece.length
    if (this.#recordBytes > RECORD_MAX_BYTES)
      throw new LimitReached('failed', 'the stream exceeds the recording limit of a replay')
    this.#record.push(piece)
  }

  /** A stream that cannot open aborts the call with its error. */
  #attempt(work: () => Promise<void>): void {
    work().catch((refusal) => this.#ended.abort(refusal))
  }

  async #sendEarly(): Promise<void> {
    if (this.#early.length === 0) return
    this.#markDelivered()
    await this.#send('')
  }

  async #bridge(): Promise<void> {
    if (!this.#stream) await this.#send(this.#options.keepAlive ?? KEEP_ALIVE)
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
