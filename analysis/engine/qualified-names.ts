// Names of members and calls. The same names are built for every evaluation of an expression and looked up in several indexes. A new
// string must be copied and hashed for each lookup, so the string that was built first is used again.

const NAMES_MAX = 50_000

let size = 0
/** By the part before and the part after the separator. */
const names = new Map<string, Map<string, Map<string, string>>>([
  ['.', new Map()],
  ['#', new Map()],
  ['', new Map()],
])

/** `first`, the separator and `last`. */
export function qualifiedName(first: string, separator: '.' | '#' | '', last: string): string {
  const all = names.get(separator)
  const ofFirst = all?.get(first)
  const known = ofFirst?.get(last)
  if (known !== undefined) return known
  if (size >= NAMES_MAX) {
    for (const each of names.values()) each.clear()
    size = 0
  }
  size += 1
  const name = first + separator + last
  if (ofFirst && size > 1) ofFirst.set(last, name)
  else all?.set(first, new Map([[last, name]]))
  return name
}
