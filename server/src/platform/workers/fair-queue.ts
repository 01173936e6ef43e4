// Fair queueing: the owner that was served least recently is next. Within one owner, first in, first out.

const OWNERS_MAX = 1_000

let served = 0
/** By owner: the number of their last turn. Oldest first, so that the oldest entry is evicted. */
const lastServed = new Map<string, number>()

/** Removes and returns the next item. The list must not be empty. */
export function takeNextFair<T>(waiting: T[], ownerOf: (each: T) => string | undefined): T {
  let best = 0
  let bestServed = Number.POSITIVE_INFINITY
  for (const [index, each] of waiting.entries()) {
    const at = lastServed.get(ownerOf(each) ?? '') ?? 0
    if (at < bestServed) [best, bestServed] = [index, at]
  }
  const [next] = waiting.splice(best, 1) as [T]
  const owner = ownerOf(next) ?? ''
  lastServed.delete(owner)
  lastServed.set(owner, ++served)
  const [oldest] = lastServed.keys()
  if (lastServed.size > OWNERS_MAX && oldest !== undefined) lastServed.delete(oldest)
  return next
}
