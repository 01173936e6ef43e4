// Whose turn it is: of those that wait, whoever was served longest ago. Within one owner, in the order they came.

const OWNERS_MAX = 1_000

let served = 0
/** By owner, when they were last served. Oldest first, so that what is forgotten is the oldest. */
const lastServed = new Map<string, number>()

/** Takes the next out of the list, which must not be empty. */
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
