// One HTTP exchange with an upstream, as a handler of the HTTP client: head, bytes and end.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

export type UpstreamHead = { readonly status: number; readonly headers: IncomingHttpHeaders }

// Above this many unread bytes the response is paused.
const UNREAD_BYTES_MAX = 64 * 1024
// The bytes that may follow a complete answer. Above this the connection is closed instead of reused.
const DRAIN_BYTES_MAX = 16 * 1024
const DRAIN_MS = 1_000

type Reader = {
  readonly resolve: (bytes: Buffer | null) => void
  readonly reject: (failure: Error) => void
}

export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly head: Promise<UpstreamHead>
  readonly #headKnown = Promise.withResolvers<UpstreamHead>()
  #controller: Dispatcher.DispatchController | undefined
  /** Usually one piece waits at most. An array for each piece reached the old generation of the heap, with the piece. */
  #unread: Buffer | null = null
  #furtherUnread: Buffer[] | null = null
  #unreadBytes = 0
  #reader: Reader | null = null
  #isWaking = false
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
  read(): Promise<Buffer | null> {
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
      if (this.#unread || this.#end) this.#answer()
      else this.#controller?.resume()
    })
  }

  /** Closes the connection immediately. Waiting readers receive the reason. */
  abort(reason: Error): void {
    if (this.#end) return
    this.#unread = null
    this.#furtherUnread = null
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
    this.#keepUnread(chunk)
    if (this.#unreadBytes > UNREAD_BYTES_MAX) controller.pause()
    this.#wakeReader()
  }

  onResponseEnd(): void {
    this.#finish(null)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error)
  }

  #keepUnread(chunk: Buffer): void {
    this.#unreadBytes += chunk.length
    if (!this.#unread) this.#unread = chunk
    else if (this.#furtherUnread) this.#furtherUnread.push(chunk)
    else this.#furtherUnread = [chunk]
  }

  #takeUnread(first: Buffer): Buffer {
    const others = this.#furtherUnread
    this.#unread = null
    this.#furtherUnread = null
    this.#unreadBytes = 0
    this.#controller?.resume()
    return others ? Buffer.concat([first, ...others]) : first
  }

  #finish(failure: Error | null): void {
    if (this.#end) return
    this.#end = { failure }
    if (failure) this.#headKnown.reject(failure)
    this.#wakeReader()
  }

  /** Bytes that arrive in the same turn are read together. */
  #wakeReader(): void {
    if (!this.#reader || this.#isWaking) return
    this.#isWaking = true
    queueMicrotask(this.#answer)
  }

  readonly #answer = (): void => {
    this.#isWaking = false
    const reader = this.#reader
    if (!reader || !(this.#unread || this.#end)) return
    this.#reader = null
    if (this.#unread) reader.resolve(this.#takeUnread(this.#unread))
    else if (this.#end?.failure) reader.reject(this.#end.failure)
    else reader.resolve(null)
  }
}
