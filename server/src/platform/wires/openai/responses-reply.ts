// Replies and streams of OpenAI's Responses API.
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
import { isRecord } from '../values.ts'
import { type Cost, type Fields, ProviderStreamError, type ReplyMeta, type StreamReader } from '../wire.ts'

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const listIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0

export function readReply(body: unknown): Reply {
  if (!isRecord(body) || !Array.isArray(body.output)) throw new MalformedReplyError('the reply has no output')
  const blocks = listIn(body.output).flatMap(readItem)
  return {
    id: textIn(body.id),
    model: textIn(body.model),
    choices: [{ blocks, finish: finishOf(body, blocks) }],
    usage: isRecord(body.usage) ? readUsage(body.usage) : null,
  }
}

function finishOf(
  { status, incomplete_details, error }: Fields,
  blocks: readonly { readonly kind: string }[],
): Finish {
  if (status === 'failed') {
    const { code, message } = isRecord(error) ? error : {}
    throw new ProviderStreamError(textIn(code) || 'error', textIn(message))
  }
  if (status === 'incomplete')
    return isRecord(incomplete_details) && incomplete_details.reason === 'content_filter'
      ? 'content_filter'
      : 'length'
  return blocks.some(({ kind }) => kind === 'tool_call') ? 'tool_calls' : 'stop'
}

function readItem(item: Fields): Block[] {
  switch (item.type) {
    case 'message':
      return listIn(item.content).map(
        (part): Block =>
          part.type === 'refusal'
            ? { kind: 'refusal', text: textIn(part.refusal) }
            : { kind: 'text', text: textIn(part.text) },
      )
    case 'reasoning': {
      const parts = listIn(item.content).length > 0 ? listIn(item.content) : listIn(item.summary)
      const text = parts.map((part) => textIn(part.text)).join('\n\n')
      const signature = textIn(item.encrypted_content)
      const id = textIn(item.id)
      return [{ kind: 'thinking', text, ...(signature && { signature }), ...(id && { id }) }]
    }
    case 'function_call':
    case 'custom_tool_call': {
      const isCustom = item.type === 'custom_tool_call'
      const text = isCustom ? item.input : item.arguments
      if (typeof item.call_id !== 'string' || typeof item.name !== 'string' || typeof text !== 'string')
        throw new MalformedReplyError('a tool call is malformed')
      return [
        {
          kind: 'tool_call',
          id: item.call_id,
          name: item.name,
          arguments: text,
          ...(isCustom && { isCustom }),
        },
      ]
    }
    default:
      throw new MalformedReplyError(`an item of type ${JSON.stringify(item.type)} is unknown`)
  }
}

function readUsage(usage: Fields): TokenUsage {
  const input = isRecord(usage.input_tokens_details) ? usage.input_tokens_details : {}
  const output = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {}
  return {
    inputTokens: countIn(usage.input_tokens),
    cachedInputTokens: countIn(input.cached_tokens),
    cacheWriteTokens: countIn(input.cache_write_tokens),
    outputTokens: countIn(usage.output_tokens),
    reasoningTokens: countIn(output.reasoning_tokens),
  }
}

export const writeUsage = (usage: TokenUsage, cost?: Cost): Fields => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: {
    cached_tokens: usage.cachedInputTokens,
    ...(usage.cacheWriteTokens > 0 && { cache_write_tokens: usage.cacheWriteTokens }),
  },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
  ...(cost && { cost_minor: Number(cost.costMinor), balance_minor: Number(cost.balanceMinor) }),
})

/** The output as items: neighbouring texts are parts of one message. */
function writeItems(blocks: readonly Block[], id: string): Fields[] {
  const items: Fields[] = []
  for (const block of blocks) {
    const last = items.at(-1)
    const number = items.length
    if (block.kind === 'text' || block.kind === 'refusal') {
      if (last?.type === 'message') (last.content as Fields[]).push(partOf(block.kind, block.text))
      else items.push({ ...itemOf(block, `${id}_${number}`), content: [partOf(block.kind, block.text)] })
    } else if (block.kind === 'thinking') {
      const summary = block.text === '' ? [] : [{ type: 'summary_text', text: block.text }]
      const proof = block.signature === undefined ? {} : { encrypted_content: block.signature }
      items.push({ ...itemOf(block, block.id ?? `rs_${id}_${number}`), summary, ...proof })
    } else if (block.kind === 'tool_call')
      items.push({
        ...itemOf(block, `${id}_${number}`),
        [block.isCustom ? 'input' : 'arguments']: block.arguments,
      })
    else throw new MalformedReplyError(`an answer has no ${block.kind}`)
  }
  return items
}

export const partOf = (kind: 'text' | 'refusal', text: string): Fields =>
  kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] }

type OutputBlock = Extract<Block, { kind: 'text' | 'refusal' | 'thinking' | 'tool_call' }> | BlockStart

export function itemOf(block: OutputBlock, id: string, status = 'completed'): Fields {
  if (block.kind === 'thinking') return { id, type: 'reasoning', summary: [] }
  if (block.kind !== 'tool_call')
    return { id: `msg_${id}`, type: 'message', status, role: 'assistant', content: [] }
  const called = { call_id: block.id, name: block.name }
  return block.isCustom
    ? { id: `ctc_${id}`, type: 'custom_tool_call', status, ...called, input: '' }
    : { id: `fc_${id}`, type: 'function_call', status, ...called, arguments: '' }
}

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  const [choice] = choices
  const known = responseId(id, meta)
  return {
    ...responseOf(known, meta, choice),
    output: writeItems(choice?.blocks ?? [], plainId(known)),
    usage: usage && writeUsage(usage, meta.cost),
  }
}

export const responseId = (id: string, meta: ReplyMeta): string => (id.startsWith('resp') ? id : meta.id)
export const plainId = (id: string): string => id.replace(/^resp_?/, '')

export function responseOf(id: string, meta: ReplyMeta, choice?: Pick<Choice, 'finish'>): Fields {
  const { request = {} } = meta
  const isIncomplete = choice?.finish === 'length' || choice?.finish === 'content_filter'
  const reason = choice?.finish === 'content_filter' ? 'content_filter' : 'max_output_tokens'
  return {
    id,
    object: 'response',
    created_at: meta.createdAt,
    status: !choice ? 'in_progress' : isIncomplete ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isIncomplete ? { reason } : null,
    background: false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: meta.model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: request.reasoning ?? { effort: null, summary: null },
    store: request.store ?? false,
    temperature: request.temperature ?? 1,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
  }
}

/** Reads a stream. Items and parts arrive in sequence; each part is a block. */
export function createReader(): StreamReader {
  let open: { readonly key: string; readonly index: number } | null = null
  let count = 0
  let hasFinish = false
  const kinds: { readonly kind: string }[] = []

  const close = (events: StreamEvent[]): void => {
    if (open) events.push({ kind: 'block_end', choice: 0, index: open.index })
    open = null
  }
  const start = (key: string, block: BlockStart, events: StreamEvent[]): void => {
    close(events)
    open = { key, index: count++ }
    kinds.push(block)
    events.push({ kind: 'block_start', choice: 0, index: open.index, block })
  }
  const piece = (key: string, block: BlockStart, event: Fields): readonly StreamEvent[] => {
    const text = textIn(event.delta)
    const events: StreamEvent[] = []
    if (text === '') return events
    if (open?.key !== key) start(key, block, events)
    events.push({ kind: 'delta', choice: 0, index: count - 1, text })
    return events
  }
  const itemStart = (event: Fields): readonly StreamEvent[] => {
    const events: StreamEvent[] = []
    const item = isRecord(event.item) ? event.item : {}
    if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return events
    if (typeof item.call_id !== 'string' || typeof item.name !== 'string')
      throw new MalformedReplyError('a tool call starts without id and name')
    const isCustom = item.type === 'custom_tool_call'
    const block = {
      kind: 'tool_call',
      id: item.call_id,
      name: item.name,
      ...(isCustom && { isCustom }),
    } as const
    start(`${event.output_index}`, block, events)
    return events
  }
  const itemEnd = (event: Fields): readonly StreamEvent[] => {
    const events: StreamEvent[] = []
    const item = isRecord(event.item) ? event.item : {}
    const signature = item.type === 'reasoning' ? textIn(item.encrypted_content) : ''
    if (signature) {
      if (!open) start(`${event.output_index}.0`, { kind: 'thinking' }, events)
      events.push({ kind: 'signature', choice: 0, index: count - 1, signature })
    }
    close(events)
    return events
  }
  const finish = (event: Fields): readonly StreamEvent[] => {
    const response = isRecord(event.response) ? event.response : {}
    const events: StreamEvent[] = []
    close(events)
    events.push({ kind: 'finish', choice: 0, finish: finishOf(response, kinds) })
    hasFinish = true
    if (isRecord(response.usage)) events.push({ kind: 'usage', usage: readUsage(response.usage) })
    return events
  }

  const read = (data: string): readonly StreamEvent[] => {
    if (data === '[DONE]') return []
    const event = eventIn(data)
    const place = `${event.output_index}`
    const part = `${place}.${event.content_index ?? event.summary_index ?? 0}`
    switch (event.type) {
      case 'response.created': {
        const response = isRecord(event.response) ? event.response : {}
        return [{ kind: 'start', id: textIn(response.id), model: textIn(response.model) }]
      }
      case 'response.output_item.added':
        return itemStart(event)
      case 'response.output_item.done':
        return itemEnd(event)
      case 'response.output_text.delta':
        return piece(part, { kind: 'text' }, event)
      case 'response.refusal.delta':
        return piece(part, { kind: 'refusal' }, event)
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return piece(part, { kind: 'thinking' }, event)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        if (open?.key !== place) throw new MalformedReplyError('a piece belongs to no tool call')
        return [{ kind: 'delta', choice: 0, index: count - 1, text: textIn(event.delta) }]
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return finish(event)
      case 'error':
        throw new ProviderStreamError(textIn(event.code) || 'error', textIn(event.message))
      default:
        return []
    }
  }

  return {
    read,
    end() {
      if (!hasFinish) throw new MalformedReplyError('the stream ended before its answer')
      return []
    },
  }
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
