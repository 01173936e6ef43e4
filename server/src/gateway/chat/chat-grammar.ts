// Parses the chunks of a chat completion stream, and fills in fields that clients need.
import { malformed, parseChunk } from '../../platform/inference/completion/completion-chunk.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import type { RawChoice, RawChunk } from '../../platform/wires/openai/chat-chunk.ts'
import type { EventGrammar, StreamState } from '../stream/sse-filter.ts'
import { RepeatedChunk } from './repeated-chunk.ts'
import { ToolCalls } from './tool-calls.ts'

export type Chunk = RawChunk

export type ChatFrame = {
  /** Defaults for the fields that the upstream omits. */
  readonly like: { readonly id: string; readonly created: number; readonly model: string }
  /** Throws when the residency policy forbids this model. */
  readonly requireModel: (model: unknown) => void
  /** The number of requested answers. */
  readonly answers: number
  /** Replaces the name of the model at the provider by that of `like`. */
  readonly isRenamed?: boolean
}

/** For one stream: it collects tool calls until they are complete. */
export function chatGrammar({ like, requireModel, answers, isRenamed = false }: ChatFrame): EventGrammar {
  const progress = new AnswerProgress(answers)
  const repeated = new RepeatedChunk()
  return {
    read(data, seen, written) {
      const text = repeated.textIn(data)
      if (text !== null) {
        written.add(text)
        return 'keep'
      }
      const chunk = parseChunk(data)
      if (chunk === 'done') {
        seen.isDone = true
        progress.requireWhole(seen.finish)
        return 'end'
      }
      if (chunk === null) return 'drop'
      requireModel(chunk.model)
      noteChunk(chunk, seen, progress)
      if (!chunk.choices || chunk.choices.length === 0) {
        if (isUsed(chunk)) seen.last = { ...like, ...chunk, ...(isRenamed && { model: like.model }) }
        return 'drop'
      }
      written.add(chunk.choices)
      if (isRenamed) return { data: JSON.stringify({ ...filledIn(chunk, like), model: like.model }) }
      if (!isFilled(chunk, CHUNK)) return { data: JSON.stringify(filledIn(chunk, like)) }
      repeated.learn(data, chunk)
      return 'keep'
    },
  }
}

/** The answers of a stream: their tool calls, and which of them are finished. */
class AnswerProgress {
  readonly #answers: number
  readonly #calls = new Map<number, ToolCalls>()
  readonly #finished = new Set<number>()

  constructor(answers: number) {
    this.#answers = answers
  }

  add({ index, delta }: RawChoice): void {
    const at = this.#numberOf(index)
    if (!delta?.tool_calls) return
    const calls = this.#calls.get(at) ?? new ToolCalls()
    this.#calls.set(at, calls)
    calls.add(delta)
  }

  /** True when every requested answer is finished. */
  finish(index: unknown, finish: string): boolean {
    const at = this.#numberOf(index)
    this.#calls.get(at)?.requireWhole(finish)
    this.#finished.add(at)
    return this.#finished.size >= this.#answers
  }

  requireWhole(finish: string | null): void {
    for (const [at, calls] of this.#calls) if (!this.#finished.has(at)) calls.requireWhole(finish)
  }

  #numberOf(index: unknown): number {
    const at = typeof index === 'number' ? index : 0
    if (at < 0 || at >= this.#answers) throw malformed('more answers than requested')
    return at
  }
}

/** Updates the state from a chunk. Throws when the chunk reports an error. */
function noteChunk(chunk: Chunk, seen: StreamState, progress: AnswerProgress): void {
  if (chunk.error) throw failedMidway()
  for (const choice of chunk.choices ?? []) {
    progress.add(choice)
    const { finish_reason: finish } = choice
    if (typeof finish !== 'string') continue
    if (finish === 'error') throw failedMidway()
    if (progress.finish(choice.index, finish)) seen.finish = finish
  }
  if (isUsed(chunk)) seen.usage = chunk
}

const failedMidway = () => new UpstreamFailed('failed', 'it failed in the middle of its answer')

const CHUNK = 'chat.completion.chunk'
type Kind = 'chat.completion' | typeof CHUNK

/** Whether it has all fields that clients need. */
export const isFilled = ({ id, created, model, object }: Chunk, kind: Kind): boolean =>
  typeof id === 'string' && typeof created === 'number' && typeof model === 'string' && object === kind

/** Adds the fields that clients need and the upstream omitted. */
export function filledIn(
  { id, object, created, model, ...chunk }: Chunk,
  like: ChatFrame['like'],
  kind: Kind = CHUNK,
): Chunk {
  return {
    id: typeof id === 'string' ? id : like.id,
    object: kind,
    created: typeof created === 'number' ? created : like.created,
    model: typeof model === 'string' ? model : like.model,
    ...chunk,
  }
}

/** A JSON object, or null. */
export function recordIn(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data)
    return isObject(value) && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const isUsed = ({ usage, x_groq }: Chunk): boolean =>
  isObject(usage) || (isObject(x_groq) && 'usage' in x_groq && isObject(x_groq.usage))
const isObject = (value: unknown): value is object => value !== null && typeof value === 'object'
