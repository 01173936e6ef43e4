// How long something may take: until its time is over or the caller no longer wants it, whichever comes first.

export class Deadline {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #giveUp = () => this.#controller.abort(this.#caller?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined
  #expired = false

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    if (caller?.aborted) this.#giveUp()
    else caller?.addEventListener('abort', this.#giveUp, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether time ran out, as opposed to the caller giving up. */
  get expired(): boolean {
    return this.#expired
  }

  /** Starts the clock anew. */
  allow(ms: number): void {
    this.pause()
    this.#timer = setTimeout(() => {
      this.#expired = true
      this.#controller.abort()
    }, ms)
  }

  /** Stops the clock: the time that the caller takes for a frame is not the service's. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Lets go of everything; a connection that is still open is closed. */
  end(): void {
    this.pause()
    this.#caller?.removeEventListener('abort', this.#giveUp)
    this.#controller.abort()
  }
}
