// What is asked of a model and what comes back, whoever it is.

/** A service that speaks the OpenAI API: the provider that is set up, or the development model. */
export type Target = { readonly baseUrl: string; readonly apiKey: string }

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type ModelRequest = {
  readonly target: Target
  readonly model: string
  readonly messages: readonly Message[]
  readonly maxOutputTokens: number
  /** Nobody but this model may answer, or a version of it: what another says is not heard. */
  readonly isModelPinned?: boolean
  /** Whoever asks has gone, or wants no more. */
  readonly signal: AbortSignal
  /** Hears the answer as it is written. What it returns is waited for, so a slow reader slows the model down. */
  readonly onText?: (text: string) => void | Promise<void>
}

/** What was read and written. Never more than was asked for, whatever the upstream claims. */
export type TokensUsed = {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Part of the prompt. */
  readonly cachedTokens?: number
  /** Part of the output. */
  readonly reasoningTokens?: number
  /** Who says so: the upstream, or our own count where it said nothing that can be believed. */
  readonly countedBy: 'upstream' | 'us'
}

export type ModelAnswer = {
  readonly text: string
  /**
   * `length`: cut at `maxOutputTokens`. `content_filter`: the upstream withheld the rest. `stopped`: the caller wanted no
   * more; `text` is what had come by then.
   */
  readonly finish: 'stop' | 'length' | 'content_filter' | 'stopped'
  /** As the upstream names it. */
  readonly model: string
  readonly used: TokensUsed
}

/**
 * `unavailable`: no answer, too late, it has too much to do, or it refuses us and an operator must put that right; another
 * try may succeed. `failed`: it answered, and it is no use: nonsense, nothing, half of it, a refusal of our words. Either way
 * it is not the customer's fault.
 */
export class UpstreamFailed extends Error {
  readonly kind: 'unavailable' | 'failed'
  /** What it asked us to wait, in seconds. */
  readonly retryAfter: number | undefined
  /** The status with which it refuses us: our key, our account, or the address that is set. */
  readonly rejectionStatus: number | undefined
  constructor(
    kind: 'unavailable' | 'failed',
    reason: string,
    options: { retryAfter?: number; refusedWith?: number; cause?: unknown } = {},
  ) {
    super(reason, { cause: options.cause })
    this.name = 'UpstreamFailed'
    this.kind = kind
    this.retryAfter = options.retryAfter
    this.rejectionStatus = options.refusedWith
  }
}
