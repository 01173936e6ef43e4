// The public API of the wire formats: any client format with any provider format.
import { anthropic } from './anthropic/anthropic.ts'
import {
  type Conversation,
  InexpressibleError,
  type Part,
  type ProviderWire,
  WireError,
  type WireName,
} from './conversation.ts'
import { withoutCustomTools } from './custom-tools.ts'
import { gemini } from './gemini/gemini.ts'
import { lostParts } from './lost-parts.ts'
import { openaiChat, openaiResponses } from './openai/openai.ts'
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
export { type Prompt, promptOf } from './prompt.ts'
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
const MESSAGES: Readonly<Record<WireName, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
}
const ADAPTED_MAX = 20

export const wireOf = (name: WireName): Wire => WIRES[name]

/** Reads the request of a client. Throws a WireError that names the wrong field. */
export function readRequest(name: WireName, body: Fields, context?: RequestContext): Conversation {
  const conversation = WIRES[name].readRequest(body, context)
  if (conversation.messages.length + conversation.system.length === 0)
    throw new WireError(MESSAGES[name], 'must not be empty')
  return conversation
}

/** Writes the request to a provider. Throws an InexpressibleError that names the client's field. */
export function writeRequest(
  asked: Conversation,
  provider: ProviderWire,
  options: TargetOptions,
): ProviderRequest {
  const { fieldOf } = WIRES[asked.wire]
  const { conversation, isReduced } = withProofsFor(asked, provider)
  const isNative = provider === 'openai' && asked.wire === 'openai-chat'
  const written = withMessages(isNative ? conversation : withoutCustomTools(conversation), provider)
  try {
    const request = PROVIDERS[provider].writeRequest(written, options)
    const lost = lostParts(asked, provider, request.body)
    const adapted = [...(isReduced ? ['block.thinking'] : []), ...request.adapted, ...lost]
    return { ...request, adapted: adaptedFields(adapted, fieldOf) }
  } catch (error) {
    if (error instanceof InexpressibleError)
      throw new InexpressibleError(error.part, error.target, fieldOf(error.part))
    throw error
  }
}

/** OpenAI accepts instructions alone; the other formats need a message. */
const withMessages = (conversation: Conversation, provider: ProviderWire): Conversation =>
  provider === 'openai' || conversation.messages.length > 0
    ? conversation
    : { ...conversation, system: [], messages: [{ role: 'user', blocks: conversation.system }] }

const adaptedFields = (parts: readonly string[], fieldOf: (part: Part) => string): readonly string[] =>
  [...new Set(parts.map((part) => fieldOf(part.replace(/\[\d+\]/g, '[]') as Part)))].slice(0, ADAPTED_MAX)

/** Translates the stream of a provider for the client. */
export const createStreamTranslator = (translation: Translation): StreamTranslator =>
  createTranslator(PROVIDERS[translation.from], WIRES[translation.to], translation)

/** Translates a whole answer of a provider for the client. Throws a MalformedReplyError. */
export const translateReply = (translation: Translation, body: unknown): TranslatedReply =>
  translate(PROVIDERS[translation.from], WIRES[translation.to], translation, body)
