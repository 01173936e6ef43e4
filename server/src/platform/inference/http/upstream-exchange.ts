// One exchange with an upstream, at the lowest level of the client: a head, bytes as they come, and an end.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

export type UpstreamHead = { readonly status: number; readonly headers: IncomingHttpHeaders }

// Beyond this much unread, the upstream is asked to wait.
const UNREAD_BYTES_MAX = 64 * 1024
// What may still follow an answer that is known to be complete. More than this, and the connection is not worth keeping.
const DRAIN_BYTES_MAX = 16 * 1024
const DRAIN_MS = 1_000

export class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly head: Promise<UpstreamHead>
  readonly #headKnown = Promise.withResolvers<UpstreamHead>()
  #controller: Dispatcher.DispatchController | undefined
  #unread: Buffer[] = []
  #unreadBytes = 0
  #reader: PromiseWithResolvers<Buffer | null> | undefined
  #end: { readonly failure: Error | null } | undefined
  #restBytesLeft: number | undefined

  constructor() {
    this.head = this.#headKnown.promise
    // Whoever reads hears of the failure; a head that nobody waits for any more is no reason to end the process.
    this.head.catch(() => undefined)
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  /** All bytes that have come; waits for some when there are none. Null at the end. */
  async read(): Promise<Buffer | null> {
    if (this.#unread.length > 0) return this.#takeUnread()
    if (this.#end) {
      if (this.#end.failure) throw this.#end.failure
      return null
    }
    this.#reader = Promise.withResolvers()
    this.#controller?.resume()
    return this.#reader.promise
  }

  /** Closes the connection at once. Whoever waits is told why. */
  abort(reason: Error): void {
    if (this.#end) return
    this.#unread = []
    this.#finish(reason)
    // Without a controller the request is not on the wire yet: it is stopped when its turn comes.
    this.#controller?.abort(reason)
  }

  /** Nothing more is wanted, but the connection is: what little may follow is thrown away. */
  drain(): void {
    if (this.#end) return
    this.#restBytesLeft = DRAIN_BYTES_MAX
    this.#controller?.resume()
    setTimeout(() => this.abort(new Error('the rest never ended')), DRAIN_MS).unref()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#end) controller.abort(this.#end.failure ?? new Error('no longer wanted'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.#headKnown.resolve({ status, headers })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#end) return
    if (this.#restBytesLeft !== undefined) {
      this.#restBytesLeft -= chunk.length
      if (this.#restBytesLeft < 0) this.abort(new Error('the rest was too long'))
      return
    }
    if (this.#reader) {
      this.#reader.resolve(chunk)
      this.#reader = undefined
      return
    }
    this.#unread.push(chunk)
    this.#unreadBytes += chunk.length
    if (this.#unreadBytes > UNREAD_BYTES_MAX) controller.pause()
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
    if (failure) {
      this.#headKnown.reject(failure)
      this.#reader?.reject(failure)
    } else this.#reader?.resolve(null)
    this.#reader = undefined
  }
}
