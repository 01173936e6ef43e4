// Several at once, and their results one after the other in the order that was given.

/** Begins no more once `keep` has thrown, and waits for those that were begun before it throws that itself. */
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
      // It is awaited in its turn; until then nobody listens.
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
