// Reads streams of OpenAI's Responses API. Items and parts arrive in sequence; each part is a block.
import { type BlockStart, MalformedReplyError, type StreamEvent } from '../conversation.ts'
import { eventIn, readLogprobs, textIn } from '../reply-values.ts'
import { isRecord } from '../values.ts'
import { type Fields, ProviderStreamError, type StreamReader } from '../wire.ts'
import { finishOf, readUsage, throwFailure } from './responses-reply.ts'

const NOTHING: readonly StreamEvent[] = []

export function createReader(): StreamReader {
  const items = new OpenItems()
  return {
    read: (data) => (data === '[DONE]' ? NOTHING : readEvent(eventIn(data), items)),
    end() {
      if (!items.isFinished) throw new MalformedReplyError('the stream ended before its answer')
      return NOTHING
    },
  }
}

function readEvent(event: Fields, items: OpenItems): readonly StreamEvent[] {
  switch (event.type) {
    case 'response.output_text.delta':
      return items.addPiece(partKey(event), { kind: 'text' }, event)
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return items.addArguments(`${event.output_index}`, textIn(event.delta))
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return items.addThought(event)
    case 'response.refusal.delta':
      return items.addPiece(partKey(event), { kind: 'refusal' }, event)
    case 'response.created': {
      const response = isRecord(event.response) ? event.response : {}
      return [{ kind: 'start', id: textIn(response.id), model: textIn(response.model) }]
    }
    case 'response.output_item.added':
      return items.startItem(event)
    case 'response.output_item.done':
      return items.endItem(event)
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return items.finish(isRecord(event.response) ? event.response : {})
    case 'error':
      throw new ProviderStreamError(textIn(event.code) || 'error', textIn(event.message))
    default:
      return NOTHING
  }
}

const partKey = (event: Fields): string => `${event.output_index}.${event.content_index ?? 0}`

class OpenItems {
  isFinished = false
  #open: { readonly key: string; readonly kind: BlockStart['kind']; part: unknown } | null = null
  #count = 0
  #hasCalls = false

  startItem(event: Fields): readonly StreamEvent[] {
    const item = isRecord(event.item) ? event.item : {}
    if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return NOTHING
    if (typeof item.call_id !== 'string' || typeof item.name !== 'string')
      throw new MalformedReplyError('a tool call starts without id and name')
    const isCustom = item.type === 'custom_tool_call'
    const events: StreamEvent[] = []
    const start = {
      kind: 'tool_call',
      id: item.call_id,
      name: item.name,
      ...(isCustom && { isCustom }),
    } as const
    this.#hasCalls = true
    this.#start(`${event.output_index}`, start, events)
    return events
  }

  addPiece(key: string, block: BlockStart, { delta, logprobs }: Fields): readonly StreamEvent[] {
    const text = textIn(delta)
    if (text === '') return NOTHING
    const events: StreamEvent[] = []
    if (this.#open?.key !== key) this.#start(key, block, events)
    const read = readLogprobs(logprobs)
    events.push({ kind: 'delta', ...this.#place(), text, ...(read && { logprobs: read }) })
    return events
  }

  /** The parts of a summary are paragraphs of one reasoning. */
  addThought(event: Fields): readonly StreamEvent[] {
    const text = textIn(event.delta)
    if (text === '') return NOTHING
    const key = `${event.output_index}`
    const part = event.summary_index ?? event.content_index ?? 0
    const events: StreamEvent[] = []
    if (this.#open?.key !== key || this.#open.kind !== 'thinking')
      this.#start(key, { kind: 'thinking' }, events)
    const isNext = this.#open !== null && this.#open.part !== undefined && this.#open.part !== part
    if (this.#open) this.#open.part = part
    events.push({ kind: 'delta', ...this.#place(), text: isNext ? `\n\n${text}` : text })
    return events
  }

  addArguments(key: string, text: string): readonly StreamEvent[] {
    if (this.#open?.kind !== 'tool_call' || this.#open.key !== key)
      throw new MalformedReplyError('a piece belongs to no tool call')
    return text === '' ? NOTHING : [{ kind: 'delta', ...this.#place(), text }]
  }

  endItem(event: Fields): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    const item = isRecord(event.item) ? event.item : {}
    const signature = item.type === 'reasoning' ? textIn(item.encrypted_content) : ''
    if (signature !== '') {
      if (this.#open?.kind !== 'thinking') this.#start(`${event.output_index}`, { kind: 'thinking' }, events)
      events.push({ kind: 'signature', ...this.#place(), signature })
    }
    this.#close(events)
    return events
  }

  finish(response: Fields): readonly StreamEvent[] {
    throwFailure(response)
    const events: StreamEvent[] = []
    this.#close(events)
    this.isFinished = true
    const calls = this.#hasCalls ? [{ kind: 'tool_call' }] : []
    events.push({ kind: 'finish', choice: 0, finish: finishOf(response, calls) })
    if (isRecord(response.usage)) events.push({ kind: 'usage', usage: readUsage(response.usage) })
    return events
  }

  #start(key: string, block: BlockStart, events: StreamEvent[]): void {
    this.#close(events)
    this.#open = { key, kind: block.kind, part: undefined }
    events.push({ kind: 'block_start', choice: 0, index: this.#count++, block })
  }

  #close(events: StreamEvent[]): void {
    if (this.#open) events.push({ kind: 'block_end', ...this.#place() })
    this.#open = null
  }

  #place(): { readonly choice: number; readonly index: number } {
    return { choice: 0, index: this.#count - 1 }
  }
}
