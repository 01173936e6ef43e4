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
