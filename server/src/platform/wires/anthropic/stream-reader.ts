// Reads streams of the Anthropic Messages API.
import { type BlockStart, MalformedReplyError, type StreamEvent, type TokenUsage } from '../conversation.ts'
import { argumentsOf, eventIn, textIn } from '../reply-values.ts'
import { isRecord } from '../values.ts'
import type { Fields, StreamReader } from '../wire.ts'
import { errorOf, readFinish, readUsage } from './reply.ts'

const NOTHING: readonly StreamEvent[] = []

export function createReader(): StreamReader {
  const blocks = new OpenBlocks()
  let counts: Fields = {}
  let usage: TokenUsage | null = null
  let hasFinish = false

  /** The last event repeats the counts that it knows; the others are in the first event. */
  const addUsage = (fields: unknown): void => {
    if (!isRecord(fields)) return
    const known = Object.entries(fields).filter(([, value]) => value !== null)
    counts = { ...counts, ...Object.fromEntries(known) }
    usage = readUsage(counts)
  }

  const read = (data: string): readonly StreamEvent[] => {
    const event = eventIn(data)
    switch (event.type) {
      case 'content_block_delta':
        return blocks.addPiece(event.index, event.delta)
      case 'content_block_start':
        return blocks.start(event.index, event.content_block)
      case 'content_block_stop':
        return blocks.end(event.index)
      case 'message_start': {
        const message = isRecord(event.message) ? event.message : {}
        addUsage(message.usage)
        const early = usage && usage.inputTokens > 0 ? { usage } : {}
        return [{ kind: 'start', id: textIn(message.id), model: textIn(message.model), ...early }]
      }
      case 'message_delta': {
        addUsage(event.usage)
        const delta = isRecord(event.delta) ? event.delta : {}
        if (delta.stop_reason === null || delta.stop_reason === undefined || hasFinish) return NOTHING
        blocks.requireClosed()
        hasFinish = true
        return [{ kind: 'finish', choice: 0, ...readFinish(delta) }]
      }
      case 'error':
        throw errorOf(event.error)
      default:
        // The documents ask clients to ignore unknown events, such as `ping`.
        return NOTHING
    }
  }

  return {
    read,
    end() {
      if (!hasFinish) throw new MalformedReplyError('the stream ended before its answer')
      return usage ? [{ kind: 'usage', usage }] : NOTHING
    },
  }
}

/** One block at a time. They are numbered again from 0. */
class OpenBlocks {
  #open: { readonly index: number; readonly kind: BlockStart['kind'] } | null = null
  #count = 0

  start(index: unknown, value: unknown): readonly StreamEvent[] {
    this.requireClosed()
    if (typeof index !== 'number') throw new MalformedReplyError('an event names no block')
    const block = isRecord(value) ? value : {}
    const start = blockStartOf(block)
    this.#open = { index, kind: start.kind }
    const place = { choice: 0, index: this.#count++ }
    const events: StreamEvent[] = [{ kind: 'block_start', ...place, block: start }]
    const text = firstText(block)
    if (text !== '') events.push({ kind: 'delta', ...place, text })
    const signature = start.kind === 'thinking' ? textIn(block.signature) : ''
    if (signature !== '') events.push({ kind: 'signature', ...place, signature })
    return events
  }

  addPiece(index: unknown, value: unknown): readonly StreamEvent[] {
    this.#require(index)
    const delta = isRecord(value) ? value : {}
    const text = this.#pieceOf(delta)
    if (text !== undefined)
      return text === '' ? NOTHING : [{ kind: 'delta', choice: 0, index: this.#count - 1, text }]
    if (delta.type === 'signature_delta' && typeof delta.signature === 'string')
      return [{ kind: 'signature', choice: 0, index: this.#count - 1, signature: delta.signature }]
    if (delta.type === 'citations_delta') return NOTHING
    throw new MalformedReplyError(`a piece of type ${JSON.stringify(delta.type)} is unknown`)
  }

  end(index: unknown): readonly StreamEvent[] {
    this.#require(index)
    this.#open = null
    return [{ kind: 'block_end', choice: 0, index: this.#count - 1 }]
  }

  requireClosed(): void {
    if (this.#open) throw new MalformedReplyError('a block did not end')
  }

  /** Undefined for other pieces than text. */
  #pieceOf({ type, text, thinking, partial_json }: Fields): string | undefined {
    const kind = this.#open?.kind
    if (type === 'text_delta' && kind === 'text' && typeof text === 'string') return text
    if (type === 'thinking_delta' && kind === 'thinking' && typeof thinking === 'string') return thinking
    if (type === 'input_json_delta' && kind === 'tool_call' && typeof partial_json === 'string')
      return partial_json
    return undefined
  }

  #require(index: unknown): void {
    if (!this.#open || this.#open.index !== index)
      throw new MalformedReplyError('an event names no open block')
  }
}

function blockStartOf({ type, id, name, data }: Fields): BlockStart {
  if (type === 'text') return { kind: 'text' }
  if (type === 'thinking') return { kind: 'thinking' }
  if (type === 'redacted_thinking' && typeof data === 'string') return { kind: 'thinking', redacted: data }
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return { kind: 'tool_call', id, name }
  throw new MalformedReplyError(`a block of type ${JSON.stringify(type)} is unknown`)
}

/** The content that a block starts with. Some compatible providers send whole arguments here. */
function firstText({ type, text, thinking, input }: Fields): string {
  if (type === 'tool_use') return isRecord(input) && Object.keys(input).length > 0 ? argumentsOf(input) : ''
  return textIn(type === 'thinking' ? thinking : text)
}
