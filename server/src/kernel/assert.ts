/** States what cannot be otherwise. A failure is a bug of ours, never a refusal: it becomes a 500 and is logged. */
export function assert(condition: unknown, because: string): asserts condition {
  if (!condition) throw new Error(`broken assumption: ${because}`)
}

/** The value, or a loud failure where there is none. */
export function present<T>(value: T | null | undefined, because: string): T {
  assert(value !== null && value !== undefined, because)
  return value
}
