// How an operation is called, as data: the generated table is made of these.

/** `bytes` is anything that is neither JSON nor text, such as a file. */
export type ReplyKind = 'json' | 'text' | 'bytes' | 'stream'

export type Operation = {
  readonly method: string
  /** With `{name}` for each of `params`, which are the first arguments of the call. */
  readonly path: string
  readonly params?: readonly string[]
  /** The next argument is the body. */
  readonly body?: true
  /** The next argument is the query. */
  readonly query?: true
  /** Takes an Idempotency-Key, so that it can be repeated without doing its work twice. */
  readonly idempotent?: true
  /** JSON where it is not said. */
  readonly reply?: ReplyKind
}

/** What any call may be given as its last argument. */
export type CallOptions = {
  /** Ends the call, its retries and its stream; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** For each attempt: how long a complete answer, or the beginning of a stream, may take. */
  readonly timeoutMs?: number | undefined
  /** How often a failed attempt is repeated; 0 to 10. Calls that could then happen twice never are. */
  readonly retries?: number | undefined
  /** One per intent. Operations that take a key get a random one when you give none. */
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}
