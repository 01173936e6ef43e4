// A conversation with a model, independent of any provider's format. Each wire format reads and writes these types, so that
// every client format works with every provider format.

/** The formats that clients send and providers accept. */
export const WIRES = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type WireName = (typeof WIRES)[number]
/** The request format of a provider. OpenAI's is chat completions, which every compatible provider has. */
export type ProviderWire = 'openai' | 'anthropic' | 'gemini'

export type Conversation = {
  /** The format of the request. */
  readonly wire: WireName
  /** The model as the caller names it. */
  readonly model: string
  /** Instructions before the first message. */
  readonly system: readonly TextBlock[]
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice | null
  readonly options: Options
  readonly isStream: boolean
  /** Paths of fields that are not passed on, such as `messages[].content[].citations`; at most 20. */
  readonly ignored: readonly string[]
}

export type Message = {
  /** `system` only where instructions stand between other messages. Tool results are blocks of a user message. */
  readonly role: 'system' | 'user' | 'assistant'
  /** The name of the participant, where the format has one. */
  readonly name?: string
  readonly blocks: readonly Block[]
}

export type Block =
  | TextBlock
  | ImageBlock
  | FileBlock
  | AudioBlock
  | ThinkingBlock
  | RefusalBlock
  | ToolCallBlock
  | ToolResultBlock

/** The end of a prefix that the provider may cache. */
export type CacheMark = { readonly ttl: '5m' | '1h' }
type Cacheable = { readonly cache?: CacheMark }

export type TextBlock = Cacheable & {
  readonly kind: 'text'
  readonly text: string
  /** The provider's proof of the reasoning before the text (Gemini). */
  readonly signature?: string
  readonly logprobs?: readonly TokenLogprob[]
}

/** The probability of a token of the answer, and of those that were likely in its place. */
export type TokenLogprob = {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top: readonly Omit<TokenLogprob, 'top'>[]
}

export type ImageBlock = Cacheable & {
  readonly kind: 'image'
  readonly source: MediaSource
  readonly detail?: 'auto' | 'low' | 'high'
}

/** A document, such as a PDF. */
export type FileBlock = Cacheable & {
  readonly kind: 'file'
  readonly source: MediaSource
  readonly name?: string
}

export type AudioBlock = { readonly kind: 'audio'; readonly format: string; readonly data: string }

/** `data` is base64 without the prefix of a data URL. */
export type MediaSource =
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }

/**
 * The reasoning of the model. `signature` lets the provider verify its own earlier reasoning; `redacted` replaces the text
 * where the provider encrypts it.
 */
export type ThinkingBlock = {
  readonly kind: 'thinking'
  readonly text: string
  readonly signature?: string
  readonly redacted?: string
  /** The item that carried it, where the format numbers items (`rs_…`). */
  readonly id?: string
}

export type RefusalBlock = { readonly kind: 'refusal'; readonly text: string }

export type ToolCallBlock = Cacheable & {
  readonly kind: 'tool_call'
  /** Unique in the conversation. Formats without ids get `call_<n>` by position. */
  readonly id: string
  readonly name: string
  /** The arguments as JSON text of an object; the plain input of a custom tool. */
  readonly arguments: string
  readonly isCustom?: boolean
  /** The provider's proof of the reasoning before the call (Gemini: `thoughtSignature`). */
  readonly signature?: string
}

export type ToolResultBlock = Cacheable & {
  readonly kind: 'tool_result'
  readonly callId: string
  /** The name of the tool, where it is known from the call. */
  readonly name?: string
  readonly content: readonly (TextBlock | ImageBlock | FileBlock)[]
  readonly isError?: boolean
  readonly isCustom?: boolean
}

export type Tool = Cacheable & {
  readonly name: string
  readonly description?: string
  /** A JSON Schema of the arguments; null for a custom tool that takes plain text. */
  readonly schema: Readonly<Record<string, unknown>> | null
  readonly isStrict?: boolean
  /** The grammar of a custom tool, as sent. */
  readonly format?: Readonly<Record<string, unknown>>
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'tool'; readonly name: string }
  /** One of several tools. */
  | { readonly kind: 'allowed'; readonly names: readonly string[]; readonly isRequired: boolean }

/** Absent means: the default of the provider. */
export type Options = {
  readonly maxTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  /** The number of answers. */
  readonly count?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly logitBias?: Readonly<Record<string, number>>
  /** The number of alternatives per token; 0 for the chosen tokens alone. */
  readonly logprobs?: number
  readonly format?: AnswerFormat
  readonly reasoning?: Reasoning
  readonly verbosity?: string
  readonly parallelTools?: boolean
  /** An opaque id of the end user. */
  readonly user?: string
  readonly cacheKey?: string
}

export type AnswerFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name?: string
      readonly description?: string
      readonly schema: Readonly<Record<string, unknown>>
      readonly isStrict?: boolean
    }

export type Reasoning = {
  /** As the caller names it: `none`, `minimal`, `low`, `medium`, `high`, … */
  readonly effort?: string
  readonly budgetTokens?: number
  /** The model decides how much it reasons (Anthropic: `adaptive`). */
  readonly isAdaptive?: boolean
  /** The client's field that asks for reasoning without an amount. */
  readonly enabledBy?: string
  /** The effort of the answer where the client turns reasoning off (Anthropic). */
  readonly answerEffort?: string
  /** Whether the text or a summary of the reasoning is part of the answer. */
  readonly isShown?: boolean
  /** The caller asks for a summary instead of the provider's default (Anthropic: `summarized`). */
  readonly isSummarized?: boolean
  /** `auto`, `concise` or `detailed`, where the format has it. */
  readonly summary?: string
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

export type Reply = {
  readonly id: string
  readonly model: string
  readonly choices: readonly Choice[]
  readonly usage: TokenUsage | null
}

export type Choice = {
  readonly blocks: readonly Block[]
  readonly finish: Finish
  /** The stop sequence that ended the answer, where the provider names it. */
  readonly stopSequence?: string
}

/** `inputTokens` includes cached and cache-written tokens; `outputTokens` includes reasoning. */
export type TokenUsage = {
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/** An answer in pieces. Blocks of a choice are numbered from 0 and do not interleave. */
export type StreamEvent =
  /** `usage` is what the provider knows before its answer. Only the usage of the end counts. */
  | { readonly kind: 'start'; readonly id: string; readonly model: string; readonly usage?: TokenUsage }
  | {
      readonly kind: 'block_start'
      readonly choice: number
      readonly index: number
      readonly block: BlockStart
    }
  /** Text of a text, thinking or refusal block, or a piece of a tool call's arguments. */
  | {
      readonly kind: 'delta'
      readonly choice: number
      readonly index: number
      readonly text: string
      readonly logprobs?: readonly TokenLogprob[]
    }
  | {
      readonly kind: 'signature'
      readonly choice: number
      readonly index: number
      readonly signature: string
    }
  | { readonly kind: 'block_end'; readonly choice: number; readonly index: number }
  | {
      readonly kind: 'finish'
      readonly choice: number
      readonly finish: Finish
      readonly stopSequence?: string
    }
  | { readonly kind: 'usage'; readonly usage: TokenUsage }

export type BlockStart =
  | { readonly kind: 'text' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'thinking'; readonly redacted?: string }
  | {
      readonly kind: 'tool_call'
      readonly id: string
      readonly name: string
      readonly isCustom?: boolean
      readonly signature?: string
    }

/** The request has a value that is wrong in its own format. `field` is a path such as `messages[2].content[0].type`. */
export class WireError extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(`${field} ${message}`)
    this.name = 'WireError'
    this.field = field
  }
}

/** The provider's format has no way to say a part of the request. `part` names it in the terms of this file. */
export class InexpressibleError extends Error {
  readonly part: Part
  readonly target: WireName
  /** The field of the client's format that holds the part. */
  readonly field: string
  constructor(part: Part, target: WireName, field: string = part) {
    super(`${field} is not supported by this model: leave it out or choose another model`)
    this.name = 'InexpressibleError'
    this.part = part
    this.target = target
    this.field = field
  }
}

/** The parts of a conversation that some format cannot express. */
export type Part =
  | `options.${keyof Options & string}`
  | `block.${Block['kind']}`
  | 'block.image.url'
  | 'block.file.url'
  | 'block.tool_call.arguments'
  | 'tool.custom'
  | 'toolChoice.allowed'
  | 'message.name'
  | 'reasoning.budgetTokens'
  | 'reasoning.effort'
  | 'reasoning.isShown'
  | 'block.image.detail'
  | 'cache'

/** The reply of a provider is not what its format promises. */
export class MalformedReplyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MalformedReplyError'
  }
}
