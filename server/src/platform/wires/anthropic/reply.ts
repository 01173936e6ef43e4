// Replies and streams of the Anthropic Messages API.
import {
  type Block,
  type BlockStart,
  type Choice,
  type Finish,
  MalformedReplyError,
  type Reply,
  type StreamEvent,
  type TokenUsage,
} from '../conversation.ts'
import { isRecord, parseArguments } from '../values.ts'
import {
  type Cost,
  type Fields,
  ProviderStreamError,
  type ReplyMeta,
  type StreamReader,
  type StreamWriter,
} from '../wire.ts'

const FINISHES: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

export function readReply(body: unknown): Reply {
  if (!isRecord(body) || body.type !== 'message' || !Array.isArray(body.content))
    throw new MalformedReplyError('the reply is no message')
  const choice: Choice = {
    blocks: body.content.map(readBlock),
    ...readFinish(body),
  }
  return {
    id: typeof body.id === 'string' ? body.id : '',
    model: typeof body.model === 'string' ? body.model : '',
    choices: [choice],
    usage: isRecord(body.usage) ? readUsage(body.usage) : null,
  }
}

function readFinish({ stop_reason, stop_sequence }: Fields): Pick<Choice, 'finish' | 'stopSequence'> {
  const finish = FINISHES[String(stop_reason)]
  if (!finish) throw new MalformedReplyError(`the stop reason ${JSON.stringify(stop_reason)} is unknown`)
  return { finish, ...(typeof stop_sequence === 'string' && { stopSequence: stop_sequence }) }
}

function readBlock(block: unknown): Block {
  if (isRecord(block)) {
    const { type, text, thinking, signature, data, id, name, input } = block
    if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
    if (type === 'thinking' && typeof thinking === 'string')
      return { kind: 'thinking', text: thinking, ...(typeof signature === 'string' && { signature }) }
    if (type === 'redacted_thinking' && typeof data === 'string')
      return { kind: 'thinking', text: '', redacted: data }
    if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string' && isRecord(input))
      return { kind: 'tool_call', id, name, arguments: JSON.stringify(input) }
  }
  throw new MalformedReplyError('a content block is malformed')
}

const countIn = (fields: Fields, name: string): number => {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}

/** This format counts cached tokens apart from the other input. */
export function readUsage(usage: Fields): TokenUsage {
  const cachedInputTokens = countIn(usage, 'cache_read_input_tokens')
  const cacheWriteTokens = countIn(usage, 'cache_creation_input_tokens')
  return {
    inputTokens: countIn(usage, 'input_tokens') + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: countIn(usage, 'output_tokens'),
    reasoningTokens: 0,
  }
}

export const writeUsage = (usage: TokenUsage): Fields => ({
  input_tokens: usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cachedInputTokens,
  output_tokens: usage.outputTokens,
})

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  const [choice] = choices
  return {
    id: id || meta.id,
    type: 'message',
    role: 'assistant',
    model: meta.model,
    content: (choice?.blocks ?? []).map(writeBlock),
    ...stopFields(choice ?? { finish: 'stop' }),
    usage: usage && { ...writeUsage(usage), ...costFields(meta.cost) },
  }
}

const costFields = (cost: Cost | undefined): Fields =>
  cost ? { cost_minor: Number(cost.costMinor), balance_minor: Number(cost.balanceMinor) } : {}

function stopFields({ finish, stopSequence }: Pick<Choice, 'finish' | 'stopSequence'>): Fields {
  const reasons = {
    stop: 'end_turn',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
  }
  return stopSequence === undefined
    ? { stop_reason: reasons[finish], stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: stopSequence }
}

function writeBlock(block: Block): Fields {
  if (block.kind === 'text' || block.kind === 'refusal') return { type: 'text', text: block.text }
  if (block.kind === 'thinking')
    return block.redacted === undefined
      ? { type: 'thinking', thinking: block.text, signature: block.signature ?? '' }
      : { type: 'redacted_thinking', data: block.redacted }
  if (block.kind !== 'tool_call') throw new MalformedReplyError(`an answer has no ${block.kind}`)
  const input = block.isCustom ? { input: block.arguments } : parseArguments(block.arguments)
  if (!input) throw new MalformedReplyError('the arguments of a tool call are no JSON object')
  return { type: 'tool_use', id: block.id, name: block.name, input }
}

/** Reads the events of a stream. */
export function createReader(): StreamReader {
  let usage: TokenUsage | null = null
  let hasFinish = false
  const open = new Set<number>()

  const readUsageOf = (fields: unknown): void => {
    if (!isRecord(fields)) return
    const read = readUsage(fields)
    // The last event repeats the counts that it knows; the others stand in the first event.
    usage = {
      inputTokens: 'input_tokens' in fields ? read.inputTokens : (usage?.inputTokens ?? 0),
      cachedInputTokens:
        'cache_read_input_tokens' in fields ? read.cachedInputTokens : (usage?.cachedInputTokens ?? 0),
      cacheWriteTokens:
        'cache_creation_input_tokens' in fields ? read.cacheWriteTokens : (usage?.cacheWriteTokens ?? 0),
      outputTokens: read.outputTokens,
      reasoningTokens: 0,
    }
  }

  const read = (data: string): readonly StreamEvent[] => {
    const event = eventIn(data)
    switch (event.type) {
      case 'message_start': {
        const message = isRecord(event.message) ? event.message : {}
        readUsageOf(message.usage)
        return [{ kind: 'start', id: String(message.id ?? ''), model: String(message.model ?? '') }]
      }
      case 'content_block_start':
        return startBlock(indexIn(event), event.content_block, open)
      case 'content_block_delta':
        return readDelta(indexIn(event), event.delta, open)
      case 'content_block_stop': {
        const index = indexIn(event)
        if (!open.delete(index)) throw new MalformedReplyError('a block ends that did not start')
        return [{ kind: 'block_end', choice: 0, index }]
      }
      case 'message_delta': {
        readUsageOf(event.usage)
        const delta = isRecord(event.delta) ? event.delta : {}
        if (delta.stop_reason === null || delta.stop_reason === undefined) return []
        hasFinish = true
        return [{ kind: 'finish', choice: 0, ...readFinish(delta) }]
      }
      case 'message_stop':
        return usage ? [{ kind: 'usage', usage }] : []
      case 'error':
        throw streamErrorOf(event.error)
      default:
        // The documents ask clients to ignore unknown events, such as `ping`.
        return []
    }
  }

  return {
    read,
    end() {
      if (!hasFinish || open.size > 0) throw new MalformedReplyError('the stream ended before its answer')
      return []
    },
  }
}

function streamErrorOf(error: unknown): ProviderStreamError {
  const { type, message } = isRecord(error) ? error : {}
  return new ProviderStreamError(String(type ?? 'error'), typeof message === 'string' ? message : '')
}

function eventIn(data: string): Fields {
  let event: unknown
  try {
    event = JSON.parse(data)
  } catch {
    throw new MalformedReplyError('an event is no JSON')
  }
  if (!isRecord(event)) throw new MalformedReplyError('an event is no object')
  return event
}

function indexIn({ index }: Fields): number {
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw new MalformedReplyError('an event names no block')
  return index
}

function startBlock(index: number, value: unknown, open: Set<number>): readonly StreamEvent[] {
  if (open.has(index)) throw new MalformedReplyError('a block starts twice')
  const block = isRecord(value) ? value : {}
  const start = blockStartOf(block)
  open.add(index)
  const events: StreamEvent[] = [{ kind: 'block_start', choice: 0, index, block: start }]
  const text = block.type === 'thinking' ? block.thinking : block.text
  if (typeof text === 'string' && text !== '') events.push({ kind: 'delta', choice: 0, index, text })
  return events
}

function blockStartOf(block: Fields): BlockStart {
  const { type, id, name, data } = block
  if (type === 'text') return { kind: 'text' }
  if (type === 'thinking') return { kind: 'thinking' }
  if (type === 'redacted_thinking' && typeof data === 'string') return { kind: 'thinking', redacted: data }
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return { kind: 'tool_call', id, name }
  throw new MalformedReplyError(`a block of type ${JSON.stringify(type)} is unknown`)
}

function readDelta(index: number, value: unknown, open: Set<number>): readonly StreamEvent[] {
  if (!open.has(index)) throw new MalformedReplyError('a piece belongs to no block')
  const delta = isRecord(value) ? value : {}
  const text = {
    text_delta: delta.text,
    thinking_delta: delta.thinking,
    input_json_delta: delta.partial_json,
  }[String(delta.type)]
  if (typeof text === 'string') return text === '' ? [] : [{ kind: 'delta', choice: 0, index, text }]
  if (delta.type === 'signature_delta' && typeof delta.signature === 'string')
    return [{ kind: 'signature', choice: 0, index, signature: delta.signature }]
  if (delta.type === 'citations_delta') return []
  throw new MalformedReplyError(`a piece of type ${JSON.stringify(delta.type)} is unknown`)
}

const eventText = (event: Fields): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Writes events for a client. Blocks of an answer are numbered again, because this format has one choice. */
export function createWriter(meta: ReplyMeta): StreamWriter {
  let stop: Fields | null = null
  let hasStarted = false
  const kinds = new Map<number, BlockStart['kind']>()

  const start = (id: string): string => {
    hasStarted = true
    const message = {
      id: id || meta.id,
      type: 'message',
      role: 'assistant',
      model: meta.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    }
    return eventText({ type: 'message_start', message })
  }

  const write = (event: StreamEvent): string => {
    if (event.kind === 'start') return hasStarted ? '' : start(event.id)
    if (event.kind === 'usage') return ''
    const prefix = hasStarted ? '' : start('')
    if (event.kind === 'finish') {
      stop = stopFields(event)
      return prefix
    }
    const { index } = event
    switch (event.kind) {
      case 'block_start':
        kinds.set(index, event.block.kind)
        return (
          prefix + eventText({ type: 'content_block_start', index, content_block: startText(event.block) })
        )
      case 'delta':
        return eventText({ type: 'content_block_delta', index, delta: deltaOf(kinds.get(index), event.text) })
      case 'signature':
        return eventText({
          type: 'content_block_delta',
          index,
          delta: { type: 'signature_delta', signature: event.signature },
        })
      case 'block_end':
        return eventText({ type: 'content_block_stop', index })
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

function startText(block: BlockStart): Fields {
  if (block.kind === 'tool_call') return { type: 'tool_use', id: block.id, name: block.name, input: {} }
  if (block.kind !== 'thinking') return { type: 'text', text: '' }
  return block.redacted === undefined
    ? { type: 'thinking', thinking: '', signature: '' }
    : { type: 'redacted_thinking', data: block.redacted }
}

function deltaOf(kind: BlockStart['kind'] | undefined, text: string): Fields {
  if (kind === 'tool_call') return { type: 'input_json_delta', partial_json: text }
  if (kind === 'thinking') return { type: 'thinking_delta', thinking: text }
  return { type: 'text_delta', text }
}
