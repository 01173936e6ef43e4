// How several parts of a question share what there is room for.

/** The first of each list, then the second of each, and so on; nothing twice. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): Set<T> {
  const all = new Set<T>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++)
    for (const list of lists) {
      const item = list[place]
      if (item !== undefined) all.add(item)
    }
  return all
}
