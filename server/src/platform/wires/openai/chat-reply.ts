// Replies and streams of OpenAI's chat completions.
import { isChunk } from '../../inference/completion/completion-chunk.ts'
import { readUsage } from '../../inference/completion/usage.ts'
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
import {
  type Cost,
  type Fields,
  ProviderStreamError,
  type ReplyMeta,
  type StreamReader,
  type StreamWriter,
} from '../wire.ts'

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
}

export function readReply(body: unknown): Reply {
  if (!isRecord(body) || !Array.isArray(body.choices) || body.choices.length === 0)
    throw new MalformedReplyError('the reply has no choices')
  return {
    id: textIn(body.id),
    model: textIn(body.model),
    choices: body.choices.map(readChoice),
    usage: usageIn(body),
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function readChoice(choice: unknown): Choice {
  if (!isRecord(choice) || !isRecord(choice.message)) throw new MalformedReplyError('a choice has no message')
  const { message } = choice
  const blocks: Block[] = []
  const thoughts = textIn(message.reasoning_content ?? message.reasoning)
  if (thoughts) blocks.push({ kind: 'thinking', text: thoughts })
  const text = textIn(message.content)
  if (text) blocks.push({ kind: 'text', text })
  const refusal = textIn(message.refusal)
  if (refusal) blocks.push({ kind: 'refusal', text: refusal })
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
  blocks.push(...calls.map(readCall))
  return { blocks, finish: finishOf(choice.finish_reason, calls.length > 0) }
}

function finishOf(reason: unknown, hasCalls: boolean): Finish {
  const finish = FINISHES[String(reason ?? 'stop')]
  if (!finish) throw new MalformedReplyError(`the finish reason ${JSON.stringify(reason)} is unknown`)
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish
}

function readCall(call: unknown): Block {
  if (!isRecord(call) || typeof call.id !== 'string') throw new MalformedReplyError('a tool call has no id')
  const isCustom = call.type === 'custom'
  const called = isCustom ? call.custom : call.function
  if (!isRecord(called) || typeof called.name !== 'string')
    throw new MalformedReplyError('a tool call has no name')
  const text = textIn(isCustom ? called.input : called.arguments)
  return { kind: 'tool_call', id: call.id, name: called.name, arguments: text, ...(isCustom && { isCustom }) }
}

const countIn = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0

/** As any service with OpenAI's format reports it. */
function usageIn(event: Fields): TokenUsage | null {
  const usage = readUsage(event)
  return usage
    ? {
        inputTokens: usage.promptTokens,
        cachedInputTokens: usage.cachedTokens ?? 0,
        cacheWriteTokens: usage.cacheWriteTokens ?? 0,
        outputTokens: usage.outputTokens,
        reasoningTokens: usage.reasoningTokens ?? 0,
      }
    : null
}

export const writeUsage = (usage: TokenUsage, cost?: Cost): Fields => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: {
    cached_tokens: usage.cachedInputTokens,
    ...(usage.cacheWriteTokens > 0 && { cache_write_tokens: usage.cacheWriteTokens }),
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  ...(cost && { cost_minor: Number(cost.costMinor), balance_minor: Number(cost.balanceMinor) }),
})

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  return {
    id: id || meta.id,
    object: 'chat.completion',
    created: meta.createdAt,
    model: meta.model,
    choices: choices.map(({ blocks, finish }, index) => ({
      index,
      message: writeMessage(blocks),
      logprobs: null,
      finish_reason: finish,
    })),
    ...(usage && { usage: writeUsage(usage) }),
  }
}

function writeMessage(blocks: readonly Block[]): Fields {
  const join = (kind: 'text' | 'refusal' | 'thinking'): string =>
    blocks.map((block) => (block.kind === kind ? block.text : '')).join('')
  const calls = blocks.flatMap((block): Fields[] =>
    block.kind !== 'tool_call'
      ? []
      : block.isCustom
        ? [{ id: block.id, type: 'custom', custom: { name: block.name, input: block.arguments } }]
        : [{ id: block.id, type: 'function', function: { name: block.name, arguments: block.arguments } }],
  )
  const thoughts = join('thinking')
  return {
    role: 'assistant',
    content: join('text') || null,
    refusal: join('refusal') || null,
    ...(thoughts && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Reads a stream of chunks. */
export function createReader(): StreamReader {
  const choices = new Map<number, OpenChoice>()
  let usage: TokenUsage | null = null
  let hasStarted = false
  let isDone = false

  const read = (data: string): readonly StreamEvent[] => {
    if (data === '[DONE]') {
      isDone = true
      return []
    }
    const chunk = chunkIn(data)
    const events: StreamEvent[] = []
    if (!hasStarted) events.push({ kind: 'start', id: textIn(chunk.id), model: textIn(chunk.model) })
    hasStarted = true
    usage = usageIn(chunk) ?? usage
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices : []) {
      if (!isRecord(choice)) throw new MalformedReplyError('a choice is no object')
      const index = countIn(choice.index)
      const open = choices.get(index) ?? new OpenChoice(index)
      choices.set(index, open)
      open.add(isRecord(choice.delta) ? choice.delta : {}, events)
      if (choice.finish_reason !== undefined && choice.finish_reason !== null)
        open.finish(choice.finish_reason, events)
    }
    return events
  }

  return {
    read,
    end() {
      const events: StreamEvent[] = []
      for (const open of choices.values()) {
        // Some providers mark only the end of the stream.
        if (!open.isFinished && isDone) open.finish('stop', events)
        if (!open.isFinished) throw new MalformedReplyError('the stream ended before its answer')
      }
      if (choices.size === 0) throw new MalformedReplyError('the stream ended before its answer')
      return usage ? [...events, { kind: 'usage', usage }] : events
    },
  }
}

function chunkIn(data: string): Fields {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch {
    throw new MalformedReplyError('an event is no JSON')
  }
  if (!isChunk(chunk)) throw new MalformedReplyError('an event is no completion chunk')
  if (chunk.error) {
    const { code, type, message } = isRecord(chunk.error)
      ? chunk.error
      : { code: undefined, type: undefined, message: chunk.error }
    throw new ProviderStreamError(String(code ?? type ?? 'error'), textIn(message))
  }
  return chunk
}

/** The blocks of a choice, in the order in which they started. Calls may arrive side by side and are sent in sequence. */
class OpenChoice {
  isFinished = false
  readonly #choice: number
  #count = 0
  #open: { readonly kind: BlockStart['kind']; readonly index: number; readonly call?: number } | null = null
  /** Calls that started while another was open. */
  readonly #later = new Map<number, { start: BlockStart & { kind: 'tool_call' }; text: string }>()
  readonly #calls = new Set<number>()

  constructor(choice: number) {
    this.#choice = choice
  }

  add(delta: Fields, events: StreamEvent[]): void {
    this.#addText('thinking', textIn(delta.reasoning_content ?? delta.reasoning), events)
    this.#addText('text', textIn(delta.content), events)
    this.#addText('refusal', textIn(delta.refusal), events)
    for (const [position, call] of (Array.isArray(delta.tool_calls) ? delta.tool_calls : []).entries()) {
      if (!isRecord(call)) throw new MalformedReplyError('a tool call is no object')
      this.#addCall(typeof call.index === 'number' ? call.index : position, call, events)
    }
  }

  finish(reason: unknown, events: StreamEvent[]): void {
    if (this.isFinished) return
    this.#close(events)
    this.isFinished = true
    events.push({ kind: 'finish', choice: this.#choice, finish: finishOf(reason, this.#calls.size > 0) })
  }

  #addText(kind: 'thinking' | 'text' | 'refusal', text: string, events: StreamEvent[]): void {
    if (text === '') return
    if (this.#open?.kind !== kind) {
      this.#close(events)
      this.#start({ kind }, events)
    }
    events.push({ kind: 'delta', choice: this.#choice, index: this.#open?.index ?? 0, text })
  }

  #addCall(number: number, call: Fields, events: StreamEvent[]): void {
    const isCustom = call.type === 'custom' || isRecord(call.custom)
    const called = isRecord(call.custom) ? call.custom : isRecord(call.function) ? call.function : {}
    const text = textIn(isCustom ? called.input : called.arguments)
    if (!this.#calls.has(number)) {
      if (typeof call.id !== 'string' || typeof called.name !== 'string')
        throw new MalformedReplyError('a tool call starts without id and name')
      this.#calls.add(number)
      const start = {
        kind: 'tool_call',
        id: call.id,
        name: called.name,
        ...(isCustom && { isCustom }),
      } as const
      if (this.#open?.kind === 'tool_call') this.#later.set(number, { start, text: '' })
      else {
        this.#close(events)
        this.#start(start, events, number)
      }
    }
    if (text === '') return
    const later = this.#later.get(number)
    if (later) later.text += text
    else if (this.#open?.call === number)
      events.push({ kind: 'delta', choice: this.#choice, index: this.#open.index, text })
    else throw new MalformedReplyError('a piece belongs to a tool call that has ended')
  }

  #start(block: BlockStart, events: StreamEvent[], call?: number): void {
    const index = this.#count++
    this.#open = { kind: block.kind, index, ...(call !== undefined && { call }) }
    events.push({ kind: 'block_start', choice: this.#choice, index, block })
  }

  #close(events: StreamEvent[]): void {
    if (this.#open) events.push({ kind: 'block_end', choice: this.#choice, index: this.#open.index })
    this.#open = null
    for (const [number, { start, text }] of this.#later) {
      this.#later.delete(number)
      this.#start(start, events, number)
      const place = { choice: this.#choice, index: this.#count - 1 }
      if (text !== '') events.push({ kind: 'delta', ...place, text })
      events.push({ kind: 'block_end', ...place })
      this.#open = null
    }
  }
}

/** Writes a stream of chunks. */
export function createWriter(meta: ReplyMeta): StreamWriter {
  let id = meta.id
  const roles = new Set<number>()
  const blocks = new Map<string, { readonly block: BlockStart; readonly call: number }>()
  const calls = new Map<number, number>()

  const chunk = (fields: Fields): string =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: meta.createdAt, model: meta.model, ...fields })}\n\n`
  const piece = (index: number, delta: Fields, finish_reason: string | null = null): string => {
    const role = roles.has(index) ? {} : { role: 'assistant' }
    roles.add(index)
    return chunk({ choices: [{ index, delta: { ...role, ...delta }, logprobs: null, finish_reason }] })
  }

  const write = (event: StreamEvent): string => {
    if (event.kind === 'start') {
      id = event.id || id
      return ''
    }
    if (event.kind === 'usage' || event.kind === 'signature' || event.kind === 'block_end') return ''
    if (event.kind === 'finish') return piece(event.choice, {}, event.finish)
    const key = `${event.choice}.${event.index}`
    if (event.kind === 'block_start') {
      const { block } = event
      const call = calls.get(event.choice) ?? 0
      blocks.set(key, { block, call })
      if (block.kind !== 'tool_call') return ''
      calls.set(event.choice, call + 1)
      const called = block.isCustom
        ? { type: 'custom', custom: { name: block.name, input: '' } }
        : { type: 'function', function: { name: block.name, arguments: '' } }
      return piece(event.choice, { tool_calls: [{ index: call, id: block.id, ...called }] })
    }
    const open = blocks.get(key)
    return open ? piece(event.choice, deltaOf(open.block, open.call, event.text)) : ''
  }

  return {
    write,
    end: (usage, cost) =>
      `${meta.wantsUsage ? chunk({ choices: [], usage: writeUsage(usage, cost) }) : ''}data: [DONE]\n\n`,
    error: ({ code, message }) => `data: ${JSON.stringify({ error: { message, type: code, code } })}\n\n`,
    keepAlive: ': keep-alive\n\n',
  }
}

function deltaOf(block: BlockStart, index: number, text: string): Fields {
  if (block.kind === 'thinking') return { reasoning_content: text }
  if (block.kind !== 'tool_call') return block.kind === 'text' ? { content: text } : { refusal: text }
  const called = block.isCustom ? { custom: { input: text } } : { function: { arguments: text } }
  return { tool_calls: [{ index, ...called }] }
}
