// Requests and provider events for tests of the wire formats.
import type { Conversation, Tool, WireName } from '@cowrie/server/src/platform/wires/conversation.ts'
import type { Fields } from '@cowrie/server/src/platform/wires/wire.ts'
import { createStreamTranslator, readRequest } from '@cowrie/server/src/platform/wires/wires.ts'

export type Provider = 'openai' | 'anthropic' | 'gemini'
export const META = { model: 'm', createdAt: 1, id: 'resp_1', wantsUsage: true }

/** A request without content, for streams that need only its format and tools. */
export const asked = (wire: WireName, tools: readonly Tool[] = [], count = 1): Conversation => ({
  wire,
  model: 'm',
  system: [],
  messages: [],
  tools,
  toolChoice: null,
  options: { count },
  isStream: true,
  ignored: [],
})
export const translatorFor = (from: Provider, to: WireName, conversation = asked(to), meta = {}) =>
  createStreamTranslator({ from, to, conversation, meta: { ...META, ...meta } })

export const chunk = (delta: Fields, finish: string | null = null, index = 0): string =>
  JSON.stringify({ id: 'c', choices: [{ index, delta, finish_reason: finish }] })
export const calls = (...list: Fields[]): string => chunk({ tool_calls: list })
export const candidate = (parts: Fields[], finishReason?: string): string =>
  JSON.stringify({ responseId: 'r', candidates: [{ content: { parts }, finishReason }] })
export const anthropicStart = (block: Fields, index = 0): string =>
  JSON.stringify({ type: 'content_block_start', index, content_block: block })
export const anthropicDelta = (delta: Fields, index = 0): string =>
  JSON.stringify({ type: 'content_block_delta', index, delta })
export const anthropicStop = (index = 0): string => JSON.stringify({ type: 'content_block_stop', index })
export const anthropicEnd = (stop_reason: string): string =>
  JSON.stringify({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 4 } })

const BODIES: Readonly<Record<WireName, Fields>> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { model: 'm', input: 'Hi' },
  anthropic: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}

/** The smallest request of a format, with more fields. */
export const read = (wire: WireName, more: Fields = {}): Conversation =>
  readRequest(wire, { ...BODIES[wire], ...more }, { model: 'm' })

export const errorOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}
