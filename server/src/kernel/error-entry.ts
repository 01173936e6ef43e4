// What the catalogue says about a refusal.

export type ErrorEntry = {
  readonly status: number
  /** One plain sentence that says what to do. */
  readonly message: string
  /** Set on refusals that say "try again later": the default Retry-After in seconds. */
  readonly retryAfter?: number
}
