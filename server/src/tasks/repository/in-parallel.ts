// Runs work on many items with a limit on how much runs at once.

/** Stops at the first failure, after the work in progress has ended. */
export async function inParallel<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  let failure: { error: unknown } | null = null
  const worker = async () => {
    for (let next = iterator.next(); !next.done && !failure; next = iterator.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
  if (failure) throw (failure as { error: unknown }).error
}

/** Accepts work until `most` is in progress, then waits. */
export class WorkWindow {
  private readonly running = new Set<Promise<unknown>>()
  private failure: { error: unknown } | null = null
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  async add(work: () => Promise<unknown>): Promise<void> {
    while (this.running.size >= this.most) await Promise.race(this.running)
    if (this.failure) throw this.failure.error
    const done: Promise<unknown> = work()
      .catch((error: unknown) => {
        this.failure ??= { error }
      })
      .finally(() => this.running.delete(done))
    this.running.add(done)
  }

  /** Waits for all work. Throws the first failure. */
  async finish(): Promise<void> {
    await Promise.all(this.running)
    if (this.failure) throw this.failure.error
  }
}
