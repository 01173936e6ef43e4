// The request to a model and its result.

import type { ProviderWire } from '../wires/conversation.ts'

export type { ProviderWire }

/** A model service: a configured provider or the development model. */
export type Target = {
  readonly baseUrl: string
  readonly apiKey: string
  /** Absent: openai. */
  readonly wire?: ProviderWire
}

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type ModelRequest = {
  readonly target: Target
  readonly model: string
  readonly messages: readonly Message[]
  readonly maxOutputTokens: number
  /** Rejects an answer of another model. A version of this model is accepted. */
  readonly isModelPinned?: boolean
  /** Aborted when the caller has disconnected or wants no more text. */
  readonly signal: AbortSignal
  /** Default: that of `sendUpstream`. */
  readonly retries?: number | undefined
  /** Receives the text as it is written. The next chunk waits for the returned promise. */
  readonly onText?: (text: string) => void | Promise<void>
}

/** Token usage, never above the limits of the request. */
export type TokensUsed = {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Part of the prompt. */
  readonly cachedTokens?: number
  /** Part of the prompt: stored in the cache of the provider by this call. */
  readonly cacheWriteTokens?: number
  /** Part of the output. */
  readonly reasoningTokens?: number
  /** `us`: counted by this service, because the upstream reported no plausible usage. */
  readonly countedBy: 'upstream' | 'us'
}

export type ModelAnswer = {
  readonly text: string
  /**
   * `length`: truncated at `maxOutputTokens`. `content_filter`: the upstream withheld the rest. `stopped`: the caller
   * aborted, and `text` is the part received before.
   */
  readonly finish: 'stop' | 'length' | 'content_filter' | 'stopped'
  /** The name that the upstream reports. */
  readonly model: string
  readonly used: TokensUsed
}

/**
 * `unavailable`: no answer, a timeout, an overload, or a rejected account that an operator must correct; a retry may
 * succeed. `failed`: the answer is unusable (malformed, empty or incomplete), or the request was rejected. Neither is
 * caused by the customer.
 */
export class UpstreamFailed extends Error {
  readonly kind: 'unavailable' | 'failed'
  /** The delay that the upstream requests, in seconds. */
  readonly retryAfter: number | undefined
  /** The status of a rejection of our key, our account or the configured address. */
  readonly rejectionStatus: number | undefined
  /** The provider rejected this one request. It does not count against the health of the provider. */
  readonly isRequestRejected: boolean
  constructor(
    kind: 'unavailable' | 'failed',
    reason: string,
    options: {
      retryAfter?: number
      rejectionStatus?: number
      isRequestRejected?: boolean
      cause?: unknown
    } = {},
  ) {
    super(reason, { cause: options.cause })
    this.name = 'UpstreamFailed'
    this.kind = kind
    this.retryAfter = options.retryAfter
    this.rejectionStatus = options.rejectionStatus
    this.isRequestRejected = options.isRequestRejected ?? false
  }
}
