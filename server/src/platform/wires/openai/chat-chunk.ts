// The shape of a chat completion or of one of its chunks, as compatible providers send it.
import { isRecord } from '../values.ts'

export type RawChunk = Record<string, unknown> & { readonly choices?: readonly RawChoice[] | null }
export type RawChoice = Record<string, unknown> & {
  readonly delta?: RawDelta | null
  readonly message?: RawDelta | null
  readonly finish_reason?: string | null
}
export type RawDelta = Record<string, unknown> & {
  readonly content?: string | readonly unknown[] | null
  readonly tool_calls?: readonly RawToolCall[] | null
}
export type RawToolCall = Record<string, unknown> & {
  readonly function?: (Record<string, unknown> & { readonly arguments?: string | null }) | null
}

export function isChunk(event: unknown): event is RawChunk {
  if (!isRecord(event)) return false
  const { choices } = event
  return isAbsent(choices) || (Array.isArray(choices) && choices.every(isChoice))
}

function isChoice(choice: unknown): boolean {
  if (!isRecord(choice)) return false
  const { delta, message, finish_reason } = choice
  return isDelta(delta) && isDelta(message) && (isAbsent(finish_reason) || typeof finish_reason === 'string')
}

function isDelta(delta: unknown): boolean {
  if (isAbsent(delta)) return true
  if (!isRecord(delta)) return false
  const { content, tool_calls: calls } = delta
  if (!isAbsent(content) && typeof content !== 'string' && !Array.isArray(content)) return false
  return isAbsent(calls) || (Array.isArray(calls) && calls.every(isToolCall))
}

function isToolCall(call: unknown): boolean {
  if (!isRecord(call)) return false
  if (isAbsent(call.function)) return true
  if (!isRecord(call.function)) return false
  const { arguments: text } = call.function
  return isAbsent(text) || typeof text === 'string'
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null
