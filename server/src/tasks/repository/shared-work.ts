// Runs work once for all callers that ask for it at the same time.

type Running = { readonly done: Promise<void>; readonly controller: AbortController; waiting: number }

export class SharedWork {
  private readonly running = new Map<string, Running>()

  /** A caller that gives up leaves the others alone. The work is cancelled when all have given up. */
  async run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    signal.throwIfAborted()
    const running = this.running.get(key) ?? this.start(key, work)
    running.waiting++
    try {
      await Promise.race([running.done, rejection(signal, running.done)])
    } finally {
      if (--running.waiting === 0) running.controller.abort(signal.reason)
    }
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<void>): Running {
    const controller = new AbortController()
    const done = work(controller.signal).finally(() => {
      if (this.running.get(key) === running) this.running.delete(key)
    })
    const running: Running = { done, controller, waiting: 0 }
    controller.signal.addEventListener('abort', () => {
      if (this.running.get(key) === running) this.running.delete(key)
    })
    this.running.set(key, running)
    return running
  }
}

/** Rejects when the signal is aborted first. */
function rejection(signal: AbortSignal, done: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    const stop = () => signal.removeEventListener('abort', abort)
    done.then(stop, stop)
  })
}
