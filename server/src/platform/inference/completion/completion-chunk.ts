// Parses one event of a streamed completion, or a whole completion, in the variants of OpenAI-compatible services.

import { isChunk, type RawChunk } from '../../wires/openai/chat-chunk.ts'
import { type ReportedUsage, readUsage } from '../../wires/usage.ts'
import { UpstreamFailed } from '../model-request.ts'

export type CompletionChunk = {
  readonly text: string
  /** Reasoning text that is not part of the answer. */
  readonly reasoning: string
  readonly callsTools: boolean
  readonly finish: string | null
  readonly model: string | undefined
  readonly usage: ReportedUsage | undefined
  /** The chunk contains usage, readable or not. */
  readonly mentionsUsage: boolean
}

export type ChunkRead =
  | { readonly kind: 'chunk'; readonly chunk: CompletionChunk }
  | { readonly kind: 'done' }
  /** The upstream reports an error. `isBusy`: a retry may succeed. */
  | { readonly kind: 'error'; readonly isBusy: boolean }
  /** A keep-alive. */
  | { readonly kind: 'ignored' }

const MODEL_CHARACTERS_MAX = 128

/** Parses the data of one event, or a whole completion. Throws when it is malformed. */
export function readChunk(data: string): ChunkRead {
  const event = parseChunk(data)
  if (event === 'done') return { kind: 'done' }
  if (event === null) return { kind: 'ignored' }
  if (event.error) return { kind: 'error', isBusy: isBusy(event.error) }
  const hasUsage = event.usage !== undefined && event.usage !== null
  if (!event.choices && !hasUsage) return { kind: 'ignored' }
  return { kind: 'chunk', chunk: chunkOf(event, event.choices?.[0] ?? {}, hasUsage) }
}

/**
 * The data of one event as a chunk; null when it is empty. Throws when it is malformed: not JSON, or values of types
 * that clients do not expect.
 */
export function parseChunk(data: string): RawChunk | 'done' | null {
  const end = data.trim()
  if (end === '') return null
  if (end === '[DONE]') return 'done'
  const event = parse(data)
  if (!isChunk(event)) throw malformed('an event that is not a completion chunk')
  return event
}

/** A protocol violation of the upstream. The customer is not charged. */
export const malformed = (what: string): UpstreamFailed =>
  new UpstreamFailed('failed', `the upstream sent ${what}`)

type Fields = Record<string, unknown>

function chunkOf(event: Fields, choice: Fields, mentionsUsage: boolean): CompletionChunk {
  const content = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : choice
  const model = typeof event.model === 'string' ? event.model : ''
  return {
    text: textOf(content.content ?? content.text),
    reasoning: textOf(content.reasoning_content ?? content.reasoning),
    callsTools:
      (Array.isArray(content.tool_calls) && content.tool_calls.length > 0) || isRecord(content.function_call),
    finish: typeof choice.finish_reason === 'string' ? choice.finish_reason : null,
    model: model !== '' && model.length <= MODEL_CHARACTERS_MAX ? model : undefined,
    usage: readUsage(event),
    mentionsUsage,
  }
}

/** A string, or the text parts of a list. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

function isBusy(error: unknown): boolean {
  const { code, status, type } = isRecord(error) ? error : {}
  const number = Number(code ?? status)
  if (number >= 400) return number === 408 || number === 429 || number >= 500
  return /rate_limit|overloaded|unavailable|timeout|server_error/.test(`${code} ${type}`)
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
