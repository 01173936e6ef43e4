/** Asserts an invariant. A failure is a bug, never an expected error: it becomes a 500 and is logged. */
export function assert(condition: unknown, because: string): asserts condition {
  if (!condition) throw new Error(`broken assumption: ${because}`)
}

/** The value. Throws when it is null or undefined. */
export function present<T>(value: T | null | undefined, because: string): T {
  assert(value !== null && value !== undefined, because)
  return value
}
