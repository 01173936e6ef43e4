// Whoever asked: hears a stream from its first word on, and may go at any time.
import type { EventStream } from '../platform/http/sse.ts'

const SILENT_MS = 3_000
/** What says nothing yet is not gathered beyond this: then the stream begins with it. */
const EARLY_MAX_BYTES = 64 * 1024
const SAID = Promise.resolve()

export class Listener {
  /** They have gone or were cut off; the reason says whether it is us who go, or is the refusal that they get instead. */
  readonly signal: AbortSignal
  readonly #left = new AbortController()
  readonly #open: () => EventStream
  #stream: EventStream | null = null
  #early: Uint8Array[] = []
  #earlyBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(gone: AbortSignal, open: () => EventStream) {
    this.signal = this.#left.signal
    this.#open = open
    if (gone.aborted) this.#left.abort(gone.reason)
    else gone.addEventListener('abort', () => this.#left.abort(gone.reason), { once: true })
  }

  get isOpen(): boolean {
    return this.#stream !== null
  }

  /** The first bytes open the stream: up to then a failure still has a status of its own. */
  send(bytes: string | Uint8Array): Promise<void> {
    if (this.signal.aborted) return SAID
    this.#stream ??= this.#begin()
    if (this.#early.length === 0) return this.#stream.sendRaw(bytes)
    return this.#stream.sendRaw(Buffer.concat([...this.#early.splice(0), Buffer.from(bytes)]))
  }

  /** What says nothing yet, and goes ahead of the first bytes that do; or by itself when those take long or it is much. */
  keep(bytes: Uint8Array): Promise<void> {
    if (this.#stream) return this.send(bytes)
    this.#early.push(bytes)
    this.#earlyBytes += bytes.length
    if (this.#earlyBytes > EARLY_MAX_BYTES) return this.send('')
    this.#hurry()
    return SAID
  }

  /** What was kept is not worth sending. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#early = []
  }

  /** Whoever waits for a model that thinks for long should see that somebody is there. */
  #hurry(): void {
    this.#timer ??= setTimeout(() => {
      // A stream that may not begin is a refusal, and nobody but the call itself can give it.
      this.#showUp().catch((refusal) => this.#left.abort(refusal))
    }, SILENT_MS).unref()
  }

  async #showUp(): Promise<void> {
    if (this.#early.length > 0) await this.send('')
  }

  #begin(): EventStream {
    const stream = this.#open()
    const { closed } = stream
    closed.addEventListener('abort', () => this.#left.abort(closed.reason), { once: true })
    return stream
  }
}
