// An abort signal that fires when the time is over or the caller aborts, whichever comes first.

export class Deadline {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #abort = () => this.#controller.abort(this.#caller?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined
  #expired = false

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller
    if (caller?.aborted) this.#abort()
    else caller?.addEventListener('abort', this.#abort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the time ran out, as opposed to an abort by the caller. */
  get expired(): boolean {
    return this.#expired
  }

  /** Restarts the timer. */
  allow(ms: number): void {
    this.pause()
    this.#timer = setTimeout(() => {
      this.#expired = true
      this.#controller.abort()
    }, ms)
  }

  /** Stops the timer while the caller handles a frame. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Removes timer and listener, and closes a connection that is still open. */
  end(): void {
    this.pause()
    this.#caller?.removeEventListener('abort', this.#abort)
    this.#controller.abort()
  }
}
