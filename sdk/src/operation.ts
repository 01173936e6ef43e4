// The description of an operation. The generated table consists of these.

/** `bytes`: neither JSON nor text, such as a file. */
export type ReplyKind = 'json' | 'text' | 'bytes' | 'stream'

export type Operation = {
  readonly method: string
  /** The first arguments of the call fill its `{name}` parts. */
  readonly path: string
  /** The next argument is the body. */
  readonly body?: true
  /** The next argument is the query. */
  readonly query?: true
  /** Accepts an Idempotency-Key, so that a retry does not do the work twice. */
  readonly idempotent?: true
  /** Default: JSON. */
  readonly reply?: ReplyKind
}

/** The last argument of every call. */
export type CallOptions = {
  /** Ends the call, its retries and its stream; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Limit of each attempt for a complete answer, or for the start of a stream. */
  readonly timeoutMs?: number | undefined
  /** How often a failed attempt is retried; 0 to 10. Calls that are not safe to repeat are never retried. */
  readonly retries?: number | undefined
  /** One key per intent. Operations that accept a key get a random one by default. */
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}
