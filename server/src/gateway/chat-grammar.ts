// How chat completions speak in a stream: which of their chunks we look into, and what we then know.
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { Grammar, Seen, Verdict } from './sieve.ts'

export type Chunk = Record<string, unknown> & {
  choices?: readonly { finish_reason?: unknown; delta?: Record<string, unknown> }[]
}

const TEXTS = 'content|reasoning_content|reasoning|thinking|arguments|refusal|name'
/** Thoughts that are said once more, in detail, are not written twice. */
const PART = '(?<!"reasoning\\.text"\\s*,\\s*)"text"'

export const chatGrammar: Grammar = {
  pattern: new RegExp(
    `(?:"(?:${TEXTS})"|${PART})\\s*:\\s*"|("(?:usage|error|finish_reason)"\\s*:\\s*["{]|^data:\\s*\\[DONE\\])`,
    'gm',
  ),
  read: readChunk,
}

function readChunk(data: string, seen: Seen): Verdict {
  if (data.trim() === '[DONE]') {
    seen.finish ??= 'stop'
    return 'end'
  }
  const chunk = chunkOf(data)
  if (!chunk) return 'drop'
  noteChunk(chunk, seen)
  if (!isUsed(chunk) || (chunk.choices && chunk.choices.length > 0)) return 'keep'
  seen.last = chunk
  return 'drop'
}

/** What a chunk tells about the end of the answer. Throws when it tells of a failure. */
export function noteChunk(chunk: Chunk, seen: Seen): void {
  const finish = chunk.choices?.find(({ finish_reason }) => typeof finish_reason === 'string')?.finish_reason
  if (chunk.error || finish === 'error')
    throw new UpstreamFailed('failed', 'it failed in the middle of its answer')
  if (typeof finish === 'string') seen.finish = finish
  if (isUsed(chunk)) seen.usage = chunk
  if (typeof chunk.model === 'string') seen.model ??= chunk.model
}

/** What is no chunk is nobody's: a client could not read it either. */
export function chunkOf(data: string): Chunk | null {
  try {
    const chunk: unknown = JSON.parse(data)
    return chunk !== null && typeof chunk === 'object' ? (chunk as Chunk) : null
  } catch {
    return null
  }
}

const isUsed = ({ usage, x_groq }: Chunk): boolean =>
  isObject(usage) || (isObject(x_groq) && 'usage' in x_groq && isObject(x_groq.usage))
const isObject = (value: unknown): value is object => value !== null && typeof value === 'object'
