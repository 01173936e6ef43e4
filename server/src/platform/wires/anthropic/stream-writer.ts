// Writes streams of the Anthropic Messages API. Pieces are written as text around the escaped value, because a whole object per
// piece costs more than the rest of the translation.
import type { BlockStart, StreamEvent, TokenUsage } from '../conversation.ts'
import type { Fields, ReplyMeta, StreamWriter } from '../wire.ts'
import { costFields, stopFields, writeUsage } from './reply.ts'

const eventText = (event: Fields): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** This format has one choice; others are left out. */
export function createWriter(meta: ReplyMeta): StreamWriter {
  let stop: Fields | null = null
  let hasStarted = false
  /** The text before each piece of the open block. */
  let before = ''

  const start = (id: string, usage?: TokenUsage): string => {
    hasStarted = true
    const message = {
      id: id || meta.id,
      type: 'message',
      role: 'assistant',
      model: meta.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usage ? writeUsage(usage) : { input_tokens: meta.promptTokens ?? 0, output_tokens: 0 },
    }
    return eventText({ type: 'message_start', message })
  }

  const write = (event: StreamEvent): string => {
    if (event.kind === 'delta')
      return event.choice === 0 ? `${before}${JSON.stringify(event.text)}}}\n\n` : ''
    if (event.kind === 'start') return hasStarted ? '' : start(event.id, event.usage)
    if (event.kind === 'usage' || event.choice !== 0) return ''
    const prefix = hasStarted ? '' : start('')
    switch (event.kind) {
      case 'finish':
        stop = stopFields(event)
        return prefix
      case 'block_start': {
        const { index, block } = event
        before = textBefore(block, index)
        return prefix + eventText({ type: 'content_block_start', index, content_block: startOf(block) })
      }
      case 'signature':
        return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${event.index},"delta":{"type":"signature_delta","signature":${JSON.stringify(event.signature)}}}\n\n`
      case 'block_end':
        return `event: content_block_stop\ndata: {"type":"content_block_stop","index":${event.index}}\n\n`
    }
  }

  return {
    write,
    end: (usage, cost) =>
      (hasStarted ? '' : start('')) +
      eventText({
        type: 'message_delta',
        delta: stop ?? stopFields({ finish: 'stop' }),
        usage: { ...writeUsage(usage), ...costFields(cost) },
      }) +
      eventText({ type: 'message_stop' }),
    error: ({ code, message }) => eventText({ type: 'error', error: { type: code, message } }),
    keepAlive: eventText({ type: 'ping' }),
  }
}

function startOf(block: BlockStart): Fields {
  if (block.kind === 'tool_call') return { type: 'tool_use', id: block.id, name: block.name, input: {} }
  if (block.kind !== 'thinking') return { type: 'text', text: '' }
  return block.redacted === undefined
    ? { type: 'thinking', thinking: '', signature: '' }
    : { type: 'redacted_thinking', data: block.redacted }
}

function textBefore({ kind }: BlockStart, index: number): string {
  const field =
    kind === 'tool_call'
      ? '"input_json_delta","partial_json"'
      : kind === 'thinking'
        ? '"thinking_delta","thinking"'
        : '"text_delta","text"'
  return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":${field}:`
}
