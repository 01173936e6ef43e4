// One HTTP exchange with an upstream, as a handler of the HTTP client: head, bytes and end.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

export type UpstreamHead = { readonly status: number; readonly headers: IncomingHttpHeaders }

// Above this many unread bytes the response is paused.
const UNREAD_BYTES_MAX = 64 * 1024
// The bytes that may follow a complete answer. Above this the connection is closed instead of reused.
const DRAIN_BYTES_MAX = 16 * 1024
const DRAIN_MS = 1_000

export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly head: Promise<UpstreamHead>
  readonly #headKnown = Promise.withResolvers<UpstreamHead>()
  #controller: Dispatcher.DispatchController | undefined
  #unread: Buffer[] = []
  #unreadBytes = 0
  /** Wakes the reader that waits for bytes. */
  #wake: (() => void) | undefined
  #end: { readonly failure: Error | null } | undefined
  #drainBytesLeft: number | undefined

  constructor() {
    this.head = this.#headKnown.promise
    // Readers receive the failure. Without a reader it must not become an unhandled rejection.
    this.head.catch(() => undefined)
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  /** All bytes received so far; waits for some when there are none. Null at the end. */
  async read(): Promise<Buffer | null> {
    while (this.#unread.length === 0) {
      if (this.#end?.failure) throw this.#end.failure
      if (this.#end) return null
      this.#controller?.resume()
      // Bytes that arrive in the same turn are read together.
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#takeUnread()
  }

  /** Closes the connection immediately. Waiting readers receive the reason. */
  abort(reason: Error): void {
    if (this.#end) return
    this.#unread = []
    this.#finish(reason)
    // Without a controller the request has not been sent. `onRequestStart` aborts it.
    this.#controller?.abort(reason)
  }

  /** Discards the few remaining bytes so that the connection can be reused. */
  drain(): void {
    if (this.#end) return
    this.#drainBytesLeft = DRAIN_BYTES_MAX
    this.#controller?.resume()
    setTimeout(() => this.abort(new Error('the response did not end in time')), DRAIN_MS).unref()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#end) controller.abort(this.#end.failure ?? new Error('the call has ended'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.#headKnown.resolve({ status, headers })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#end) return
    if (this.#drainBytesLeft !== undefined) {
      this.#drainBytesLeft -= chunk.length
      if (this.#drainBytesLeft < 0) this.abort(new Error('the response has too many remaining bytes'))
      return
    }
    this.#unread.push(chunk)
    this.#unreadBytes += chunk.length
    if (this.#unreadBytes > UNREAD_BYTES_MAX) controller.pause()
    this.#wakeReader()
  }

  onResponseEnd(): void {
    this.#finish(null)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error)
  }

  #takeUnread(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#unread
    this.#unread = []
    this.#unreadBytes = 0
    this.#controller?.resume()
    return others.length === 0 ? first : Buffer.concat([first, ...others])
  }

  #finish(failure: Error | null): void {
    if (this.#end) return
    this.#end = { failure }
    if (failure) this.#headKnown.reject(failure)
    this.#wakeReader()
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
