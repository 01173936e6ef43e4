// The public API of the wire formats: any client format with any provider format.
import type { ProviderWire } from '../inference/inference.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { type Conversation, InexpressibleError, type Part, type WireName } from './conversation.ts'
import { withoutCustomTools } from './custom-tools.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai/chat.ts'
import { openaiResponses } from './openai/responses.ts'
import { withProofsFor } from './signatures.ts'
import { createTranslator, type StreamTranslator } from './stream-translator.ts'
import { type TranslatedReply, type Translation, translate } from './translate-reply.ts'
import type { Fields, ProviderRequest, RequestContext, TargetOptions, Wire } from './wire.ts'

export {
  type Conversation,
  type Finish,
  InexpressibleError,
  MalformedReplyError,
  type Part,
  type TokenUsage,
  WireError,
  type WireName,
} from './conversation.ts'
export { countPrompt, estimatePrompt, type Prompt, promptOf, promptTextOf } from './prompt.ts'
export type { StreamPiece, StreamTranslator } from './stream-translator.ts'
export type { TranslatedReply, Translation } from './translate-reply.ts'
export {
  type Cost,
  type Fields,
  type ProviderRequest,
  ProviderStreamError,
  type Refusal,
  type ReplyMeta,
  type RequestContext,
  type TargetOptions,
} from './wire.ts'

const WIRES: Readonly<Record<WireName, Wire>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
}
/** Providers of OpenAI's format get chat completions, which every one of them has. */
const PROVIDERS: Readonly<Record<ProviderWire, Wire>> = { openai: openaiChat, anthropic, gemini }
const ADAPTED_MAX = 20

export const wireOf = (name: WireName): Wire => WIRES[name]

/** Reads the request of a client. Throws a WireError that names the wrong field. */
export const readRequest = (name: WireName, body: Fields, context?: RequestContext): Conversation =>
  WIRES[name].readRequest(body, context)

/** Writes the request to a provider. Throws an InexpressibleError that names the client's field. */
export function writeRequest(
  conversation: Conversation,
  provider: ProviderWire,
  options: TargetOptions,
): ProviderRequest {
  const { fieldOf } = WIRES[conversation.wire]
  const proven = withProofsFor(conversation, provider)
  const isNative = provider === 'openai' && conversation.wire === 'openai-chat'
  try {
    const request = PROVIDERS[provider].writeRequest(isNative ? proven : withoutCustomTools(proven), options)
    return { ...request, adapted: adaptedFields(request.adapted, fieldOf) }
  } catch (error) {
    if (error instanceof InexpressibleError)
      throw new InexpressibleError(error.part, error.target, fieldOf(error.part))
    throw error
  }
}

const adaptedFields = (parts: readonly string[], fieldOf: (part: Part) => string): readonly string[] =>
  [...new Set(parts.map((part) => fieldOf(part.replace(/\[\d+\]/g, '[]') as Part)))].slice(0, ADAPTED_MAX)

/** Translates the stream of a provider for the client. */
export const createStreamTranslator = (translation: Translation): StreamTranslator =>
  createTranslator(PROVIDERS[translation.from], WIRES[translation.to], translation)

/** Translates a whole answer of a provider for the client. Throws a MalformedReplyError. */
export const translateReply = (translation: Translation, body: unknown): TranslatedReply =>
  translate(PROVIDERS[translation.from], WIRES[translation.to], translation, body)
