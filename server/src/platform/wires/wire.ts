// The interface of a wire format: requests, replies, streams and errors, in both directions.
import type { Conversation, Part, Reply, StreamEvent, TokenUsage, WireName } from './conversation.ts'

export type Wire = {
  readonly name: WireName
  /** The field of this format that holds a part of the conversation, for error messages. */
  readonly fieldOf: (part: Part) => string
  /** Reads a request of a client. Throws a WireError that names the wrong field. */
  readRequest(body: Fields, context?: RequestContext): Conversation
  /** Writes a request to a provider. Throws an InexpressibleError for a part that this format lacks. */
  writeRequest(conversation: Conversation, options: TargetOptions): ProviderRequest
  /** Reads the reply of a provider. Throws a MalformedReplyError. */
  readReply(body: unknown): Reply
  /** Writes a reply to a client. */
  writeReply(reply: Reply, meta: ReplyMeta): Fields
  /** Reads the events of a provider's stream. */
  createReader(): StreamReader
  /** Writes events for a client, as the bytes of its stream. */
  createWriter(meta: ReplyMeta): StreamWriter
}

export type Fields = Record<string, unknown>

/** Gemini has the model and the kind of answer in the path. */
export type RequestContext = { readonly model?: string; readonly isStream?: boolean }

export type TargetOptions = {
  /** The model as the provider names it. */
  readonly model: string
  /** The output ceiling that the hold covers. */
  readonly maxTokens: number
}

export type ProviderRequest = {
  /** Below the base URL of the provider. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Fields
  /** Parts that were expressed in another way, for the header `x-cowrie-adapted`. */
  readonly adapted: readonly string[]
}

export type ReplyMeta = {
  /** The model as the caller named it. */
  readonly model: string
  /** In seconds. */
  readonly createdAt: number
  /** Used where the provider sent no id, and always with `isOwnId`. */
  readonly id: string
  readonly isOwnId?: boolean
  /** OpenAI chat sends usage only when asked. */
  readonly wantsUsage?: boolean
  /** The request, whose fields the Responses API repeats in its replies. */
  readonly request?: Fields
  readonly cost?: Cost
  /** Our count, for formats that report the prompt before the answer, where the provider does not. */
  readonly promptTokens?: number
  /** Gemini streams a JSON array where the client did not ask for events. */
  readonly isArray?: boolean
}
export type Cost = { readonly costMinor: bigint; readonly balanceMinor: bigint }

export type StreamReader = {
  /** Takes the data of one event. Throws a MalformedReplyError, or a ProviderStreamError for an error event. */
  read(data: string): readonly StreamEvent[]
  /** The end of the stream. Throws when the answer is incomplete. */
  end(): readonly StreamEvent[]
}

export type StreamWriter = {
  write(event: StreamEvent): string
  /** The last events, once the usage and the cost are known. */
  end(usage: TokenUsage, cost: Cost): string
  /** An error after the first byte, in this format. */
  error(refusal: Refusal): string
  /** Keeps an idle connection open. */
  readonly keepAlive: string
}

/** An error of ours, for the client. */
export type Refusal = { readonly code: string; readonly message: string; readonly status?: number }

/** The provider reports an error in the middle of its stream. */
export class ProviderStreamError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'ProviderStreamError'
    this.code = code
  }
}
