// What a reply has beyond its description.

/** The path of the first field of a reply that is not in what its shape read from it; null when there is none. */
export function undescribedIn(reply: unknown, read: unknown, path = ''): string | null {
  if (!isContainer(reply) || !isContainer(read)) return null
  for (const [name, value] of Object.entries(reply)) {
    if (value === undefined) continue
    const at = path === '' ? name : `${path}.${name}`
    if (!Object.hasOwn(read, name)) return at
    const found = undescribedIn(value, (read as Record<string, unknown>)[name], at)
    if (found !== null) return found
  }
  return null
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
