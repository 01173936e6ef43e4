// Runs several operations concurrently and handles their results in the given order.

/** After `handle` throws, starts no more and waits for the running ones before it rethrows. */
export async function processInOrder<T, R>(
  items: readonly T[],
  concurrency: number,
  start: (item: T) => Promise<R>,
  handle: (item: T, result: R) => Promise<void>,
): Promise<void> {
  const under = new Map<number, Promise<R>>()
  let next = 0
  const beginMore = () => {
    for (; next < items.length && under.size < concurrency; next++) {
      const begun = start(items[next] as T)
      // It is awaited later. Without this, an early rejection would be unhandled.
      begun.catch(() => undefined)
      under.set(next, begun)
    }
  }
  try {
    for (const [at, item] of items.entries()) {
      beginMore()
      const result = await (under.get(at) as Promise<R>)
      under.delete(at)
      beginMore()
      await handle(item, result)
    }
  } catch (error) {
    await Promise.allSettled(under.values())
    throw error
  }
}
