// Replies and streams of the Gemini API.
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

/** Any other reason is a filter of the provider. */
const FINISHES: Readonly<Record<string, Finish>> = { STOP: 'stop', MAX_TOKENS: 'length' }
const FAILED = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'OTHER',
  'FINISH_REASON_UNSPECIFIED',
])

export function readReply(body: unknown): Reply {
  const { id, model, usage, candidates } = chunkIn(body)
  const choices = candidates.map((candidate): Choice => {
    const blocks = partsIn(candidate).map((part, i) => readPart(part, `call_${i}`))
    return { blocks, finish: finishOf(candidate.finishReason, blocks) ?? 'stop' }
  })
  if (choices.length === 0) throw new MalformedReplyError('the reply has no candidates')
  return { id, model, choices, usage }
}

type Chunk = { id: string; model: string; usage: TokenUsage | null; candidates: readonly Fields[] }

function chunkIn(body: unknown): Chunk {
  if (!isRecord(body)) throw new MalformedReplyError('the reply is no object')
  if (isRecord(body.error))
    throw new ProviderStreamError(String(body.error.status ?? 'error'), String(body.error.message ?? ''))
  const { candidates = [], usageMetadata, modelVersion, responseId, promptFeedback } = body
  if (!Array.isArray(candidates) || !candidates.every(isRecord))
    throw new MalformedReplyError('the candidates are no list of objects')
  const isBlocked = isRecord(promptFeedback) && promptFeedback.blockReason !== undefined
  return {
    id: typeof responseId === 'string' ? responseId : '',
    model: typeof modelVersion === 'string' ? modelVersion : '',
    usage: isRecord(usageMetadata) ? readUsage(usageMetadata) : null,
    candidates:
      isBlocked && candidates.length === 0
        ? [{ finishReason: 'SAFETY', content: { parts: [] } }]
        : candidates,
  }
}

function partsIn({ content }: Fields): readonly Fields[] {
  const parts = isRecord(content) ? (content.parts ?? []) : []
  if (!Array.isArray(parts) || !parts.every(isRecord))
    throw new MalformedReplyError('the parts are no list of objects')
  return parts
}

function readPart(part: Fields, fallbackId: string): Block {
  const proof = typeof part.thoughtSignature === 'string' ? { signature: part.thoughtSignature } : {}
  if (isRecord(part.functionCall)) {
    const { id, name, args = {} } = part.functionCall
    if (typeof name !== 'string' || !isRecord(args))
      throw new MalformedReplyError('a function call is malformed')
    const known = typeof id === 'string' && id !== '' ? id : fallbackId
    return { kind: 'tool_call', id: known, name, arguments: JSON.stringify(args), ...proof }
  }
  if (typeof part.text !== 'string') throw new MalformedReplyError('a part has no text and no call')
  return part.thought === true
    ? { kind: 'thinking', text: part.text, ...proof }
    : { kind: 'text', text: part.text, ...proof }
}

function finishOf(reason: unknown, blocks: readonly { readonly kind: string }[]): Finish | null {
  if (reason === undefined || reason === null) return null
  if (FAILED.has(String(reason))) throw new MalformedReplyError(`the answer ended with ${reason}`)
  const finish = FINISHES[String(reason)] ?? 'content_filter'
  return finish === 'stop' && blocks.some(({ kind }) => kind === 'tool_call') ? 'tool_calls' : finish
}

function readUsage(usage: Fields): TokenUsage {
  const count = (name: string): number => {
    const value = usage[name]
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
  }
  const reasoningTokens = count('thoughtsTokenCount')
  return {
    inputTokens: count('promptTokenCount') + count('toolUsePromptTokenCount'),
    cachedInputTokens: count('cachedContentTokenCount'),
    cacheWriteTokens: 0,
    outputTokens: count('candidatesTokenCount') + reasoningTokens,
    reasoningTokens,
  }
}

const writeUsage = (usage: TokenUsage, cost: Cost | undefined): Fields => ({
  promptTokenCount: usage.inputTokens,
  candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
  totalTokenCount: usage.inputTokens + usage.outputTokens,
  ...(usage.cachedInputTokens > 0 && { cachedContentTokenCount: usage.cachedInputTokens }),
  ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
  ...(cost && { costMinor: Number(cost.costMinor), balanceMinor: Number(cost.balanceMinor) }),
})

const REASONS = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP', content_filter: 'SAFETY' } as const

export function writeReply({ id, choices, usage }: Reply, meta: ReplyMeta): Fields {
  return {
    candidates: choices.map(({ blocks, finish }, index) => ({
      content: { role: 'model', parts: blocks.map(writePart) },
      finishReason: REASONS[finish],
      index,
    })),
    ...(usage && { usageMetadata: writeUsage(usage, meta.cost) }),
    modelVersion: meta.model,
    responseId: id || meta.id,
  }
}

function writePart(block: Block): Fields {
  const proof =
    'signature' in block && block.signature !== undefined ? { thoughtSignature: block.signature } : {}
  if (block.kind === 'text' || block.kind === 'refusal') return { text: block.text, ...proof }
  if (block.kind === 'thinking') return { text: block.text, thought: true, ...proof }
  if (block.kind !== 'tool_call') throw new MalformedReplyError(`an answer has no ${block.kind}`)
  const args = block.isCustom ? { input: block.arguments } : parseArguments(block.arguments)
  if (!args) throw new MalformedReplyError('the arguments of a tool call are no JSON object')
  return { functionCall: { id: block.id, name: block.name, args }, ...proof }
}

/** Reads a stream. Each event is a whole reply with a piece of the answer. */
export function createReader(): StreamReader {
  const choices = new Map<number, OpenChoice>()
  let usage: TokenUsage | null = null
  let hasStarted = false

  const read = (data: string): readonly StreamEvent[] => {
    const chunk = chunkIn(parse(data))
    const events: StreamEvent[] = []
    if (!hasStarted) events.push({ kind: 'start', id: chunk.id, model: chunk.model })
    hasStarted = true
    usage = chunk.usage ?? usage
    for (const [position, candidate] of chunk.candidates.entries()) {
      const index = typeof candidate.index === 'number' ? candidate.index : position
      const choice = choices.get(index) ?? new OpenChoice(index)
      choices.set(index, choice)
      for (const part of partsIn(candidate)) choice.add(part, events)
      choice.finish(candidate.finishReason, events)
    }
    return events
  }

  return {
    read,
    end() {
      const isWhole = choices.size > 0 && [...choices.values()].every(({ isFinished }) => isFinished)
      if (!isWhole) throw new MalformedReplyError('the stream ended before its answer')
      return usage ? [{ kind: 'usage', usage }] : []
    },
  }
}

class OpenChoice {
  isFinished = false
  readonly #choice: number
  readonly #kinds: { readonly kind: string }[] = []
  #open: 'text' | 'thinking' | null = null

  constructor(choice: number) {
    this.#choice = choice
  }

  add(part: Fields, events: StreamEvent[]): void {
    const block = readPart(part, `call_${this.#kinds.length}`)
    if (block.kind === 'tool_call') this.#addCall(block, events)
    if (block.kind !== 'text' && block.kind !== 'thinking') return
    if (this.#open !== block.kind) {
      // An empty text at the end carries a signature or nothing.
      if (block.text === '' && block.signature === undefined) return
      this.#close(events)
      this.#start({ kind: block.kind }, events)
      this.#open = block.kind
    }
    const index = this.#kinds.length - 1
    const place = { choice: this.#choice, index }
    if (block.text !== '') events.push({ kind: 'delta', ...place, text: block.text })
    if (block.signature !== undefined)
      events.push({ kind: 'signature', ...place, signature: block.signature })
  }

  finish(reason: unknown, events: StreamEvent[]): void {
    const finish = finishOf(reason, this.#kinds)
    if (!finish || this.isFinished) return
    this.#close(events)
    this.isFinished = true
    events.push({ kind: 'finish', choice: this.#choice, finish })
  }

  #addCall(block: Block & { kind: 'tool_call' }, events: StreamEvent[]): void {
    this.#close(events)
    const { id, name, signature } = block
    this.#start({ kind: 'tool_call', id, name, ...(signature !== undefined && { signature }) }, events)
    const place = { choice: this.#choice, index: this.#kinds.length - 1 }
    events.push({ kind: 'delta', ...place, text: block.arguments }, { kind: 'block_end', ...place })
  }

  #start(block: BlockStart, events: StreamEvent[]): void {
    this.#kinds.push(block)
    events.push({ kind: 'block_start', choice: this.#choice, index: this.#kinds.length - 1, block })
  }

  #close(events: StreamEvent[]): void {
    if (this.#open) events.push({ kind: 'block_end', choice: this.#choice, index: this.#kinds.length - 1 })
    this.#open = null
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new MalformedReplyError('an event is no JSON')
  }
}

/** Writes a stream of events, or a JSON array where the client did not ask for events. */
export function createWriter(meta: ReplyMeta): StreamWriter {
  const { isArray = false } = meta
  let id = meta.id
  let count = 0
  const blocks = new Map<string, { block: BlockStart; text: string; signature?: string }>()

  const chunk = (fields: Fields): string => {
    const text = JSON.stringify({ ...fields, modelVersion: meta.model, responseId: id })
    if (!isArray) return `data: ${text}\n\n`
    return `${count++ === 0 ? '[' : ',\r\n'}${text}`
  }
  const part = (choice: number, parts: Fields[]): string =>
    chunk({ candidates: [{ content: { role: 'model', parts }, index: choice }] })

  const write = (event: StreamEvent): string => {
    if (event.kind === 'start') {
      id = event.id || id
      return ''
    }
    if (event.kind === 'usage') return ''
    if (event.kind === 'finish')
      return chunk({
        candidates: [
          { content: { role: 'model', parts: [] }, finishReason: REASONS[event.finish], index: event.choice },
        ],
      })
    const key = `${event.choice}.${event.index}`
    const open = blocks.get(key)
    if (event.kind === 'block_start') {
      blocks.set(key, { block: event.block, text: '' })
      return ''
    }
    if (!open) return ''
    // A call is sent whole, because this format has no pieces of arguments.
    if (open.block.kind === 'tool_call') {
      if (event.kind === 'delta') open.text += event.text
      if (event.kind !== 'block_end') return ''
      const { id: callId, name, isCustom, signature } = open.block
      const call = { kind: 'tool_call', id: callId, name, arguments: open.text } as const
      const proof = signature === undefined ? {} : { signature }
      return part(event.choice, [writePart({ ...call, ...(isCustom && { isCustom }), ...proof })])
    }
    const thought = open.block.kind === 'thinking' ? { thought: true } : {}
    if (event.kind === 'delta') return part(event.choice, [{ text: event.text, ...thought }])
    if (event.kind === 'signature')
      return part(event.choice, [{ text: '', ...thought, thoughtSignature: event.signature }])
    return ''
  }

  return {
    write,
    end: (usage, cost) => chunk({ usageMetadata: writeUsage(usage, cost) }) + (isArray ? ']' : ''),
    error: ({ code, message, status = 500 }) => {
      const error = { error: { code: status, message, status: code } }
      if (!isArray) return `data: ${JSON.stringify(error)}\n\n`
      return `${count++ === 0 ? '[' : ',\r\n'}${JSON.stringify(error)}]`
    },
    keepAlive: isArray ? ' ' : ': keep-alive\n\n',
  }
}
