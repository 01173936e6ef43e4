// Calls a model of any provider with a conversation: messages, tools and their results.
import type { App } from '../app.ts'
import type { Block, Conversation, Finish, Reply, StreamEvent } from '../wires/conversation.ts'
import { MalformedReplyError } from '../wires/conversation.ts'
import { tagBlocks } from '../wires/signatures.ts'
import { isPlausibleUsage, type ReportedUsage } from '../wires/usage.ts'
import { ProviderStreamError } from '../wires/wire.ts'
import { type TokenUsage, wireOf, writeRequest } from '../wires/wires.ts'
import { BlockBuilder } from './completion/block-builder.ts'
import { OutputLimit } from './completion/output-limit.ts'
import { adaptDialect, getDialect, rememberDialect } from './completion/request-dialect.ts'
import { SseReader } from './completion/sse-reader.ts'
import { LimitReached } from './http/deadlines.ts'
import { sendUpstream, type UpstreamReply } from './http/send.ts'
import { type ModelRequest, type TokensUsed, UpstreamFailed } from './model-request.ts'
import { countTokens } from './tokens/count-tokens.ts'
import { countPrompt } from './tokens/prompt-tokens.ts'

export type ConversationRequest = Omit<ModelRequest, 'messages' | 'onText'> & {
  readonly conversation: Conversation
  /** An upper bound of the prompt. */
  readonly promptTokens: number
  /** Receives text and reasoning as they are written. */
  readonly onPiece?: (piece: AnswerPiece) => void
}
export type AnswerPiece = { readonly kind: 'text' | 'thinking'; readonly text: string }

export type ConversationAnswer = {
  /** Proofs of reasoning name their provider, so that the blocks can be sent back in a conversation of the same format. */
  readonly blocks: readonly Block[]
  /** `stopped`: the caller aborted, and `blocks` has the text received before. */
  readonly finish: Finish | 'stopped'
  /** The name that the upstream reports. */
  readonly model: string
  readonly used: TokensUsed
}

/** The provider does not accept a prompt of this length. */
export class PromptTooLong extends UpstreamFailed {
  constructor() {
    super('failed', 'the upstream rejected the prompt as too long', { isRequestRejected: true })
    this.name = 'PromptTooLong'
  }
}

const ADAPTATIONS_MAX = 2
const REJECTION_BYTES_MAX = 64 * 1024
const WHOLE_BYTES_MAX = 16 * 1024 * 1024
// The time to wait for the usage after the answer has ended.
const TRAILER_MS = 2_000
const TOO_LONG =
  /context[_ ](?:length|window)|prompt is too long|exceeds the maximum number of tokens|maximum context/i

/** Throws only `UpstreamFailed` and `InexpressibleError`. Always ends within the configured timeouts. */
export async function callConversation(app: App, request: ConversationRequest): Promise<ConversationAnswer> {
  const collector = new AnswerCollector(request)
  try {
    const { reply, requestBytes } = await send(app, request)
    collector.requestBytes = requestBytes
    try {
      await readAnswer(reply, collector, request)
      reply.finish()
    } finally {
      reply.close()
    }
    return collector.toAnswer()
  } catch (error) {
    if (request.signal.aborted) return collector.toEarlyAnswer('stopped')
    // One of our limits ended the call. A text received so far is a truncated answer.
    if (error instanceof LimitReached && collector.hasText) return collector.toEarlyAnswer('length')
    throw toUpstreamFailure(error)
  }
}

/** A malformed answer and an error event are failures of the provider. */
function toUpstreamFailure(error: unknown): unknown {
  if (error instanceof ProviderStreamError) {
    const kind = /overload|unavail|rate_limit|timeout/i.test(error.code) ? 'unavailable' : 'failed'
    return new UpstreamFailed(kind, 'the upstream returned an error event', { cause: error })
  }
  // Nesting that exceeds the stack is a RangeError.
  if (error instanceof MalformedReplyError || error instanceof SyntaxError || error instanceof RangeError)
    return new UpstreamFailed('failed', 'the upstream sent a malformed answer', { cause: error })
  return error
}

type Sent = { readonly reply: UpstreamReply; readonly requestBytes: number }

async function send(app: App, request: ConversationRequest): Promise<Sent> {
  const { target, model, conversation, maxOutputTokens } = request
  const wire = target.wire ?? 'openai'
  const written = writeRequest(conversation, wire, { model, maxTokens: maxOutputTokens })
  if (wire === 'openai') return sendChat(app, request, written.body)
  const body = JSON.stringify(written.body)
  const reply = await post(app, request, written.path, body)
  if (reply.status < 300) return { reply, requestBytes: Buffer.byteLength(body) }
  throw toRejection(app, request, reply.status, await readAtMost(reply, REJECTION_BYTES_MAX))
}

/** In the known dialect of the model. A rejected field name is replaced and the request sent again. */
async function sendChat(
  app: App,
  request: ConversationRequest,
  written: Record<string, unknown>,
): Promise<Sent> {
  const { target, model, maxOutputTokens } = request
  const { max_tokens: _, max_completion_tokens: __, stream_options: ___, ...fields } = written
  let dialect = getDialect(app.clock, target.baseUrl, model)
  for (let adaptations = 0; ; adaptations++) {
    const body = JSON.stringify({
      ...fields,
      model,
      stream: true,
      [dialect.maxTokensField]: maxOutputTokens,
      ...(dialect.requestsUsage && { stream_options: { include_usage: true } }),
    })
    const reply = await post(app, request, '/chat/completions', body)
    if (reply.status < 300) {
      if (adaptations > 0) rememberDialect(app.clock, target.baseUrl, model, dialect)
      return { reply, requestBytes: Buffer.byteLength(body) }
    }
    const refusal = await readAtMost(reply, REJECTION_BYTES_MAX)
    const adapted = adaptDialect(dialect, refusal)
    if (!adapted || adaptations === ADAPTATIONS_MAX) throw toRejection(app, request, reply.status, refusal)
    dialect = adapted
  }
}

const post = (
  app: App,
  { target, signal, promptTokens, retries }: ConversationRequest,
  path: string,
  body: string,
): Promise<UpstreamReply> => sendUpstream(app, target, path, body, { signal, promptTokens, retries })

/** The error text of the upstream is not logged or shown, because it may quote the prompt. */
function toRejection(
  app: App,
  { model }: ConversationRequest,
  status: number,
  refusal: string,
): UpstreamFailed {
  if (status === 413 || TOO_LONG.test(refusal)) return new PromptTooLong()
  app.log.error({ status, model }, 'inference.request.rejected')
  // An unknown model or path is a wrong setting that an operator can correct.
  const isUnknown = status === 404 || status === 405
  return new UpstreamFailed(
    isUnknown ? 'unavailable' : 'failed',
    `the upstream rejected the request with status ${status}`,
    { isRequestRejected: !isUnknown },
  )
}

async function readAnswer(
  reply: UpstreamReply,
  collector: AnswerCollector,
  { target }: ConversationRequest,
): Promise<void> {
  const wire = wireOf(target.wire === undefined || target.wire === 'openai' ? 'openai-chat' : target.wire)
  const first = await reply.read()
  if (!first) throw new UpstreamFailed('failed', 'the upstream returned an empty answer')
  // Some upstreams return one JSON object although a stream was requested.
  if (wire.name === 'openai-chat' && /^\uFEFF?\s*\{/.test(first.subarray(0, 64).toString())) {
    const whole = await readAtMost(reply, WHOLE_BYTES_MAX, first)
    collector.addReply(wire.readReply(JSON.parse(whole)))
    return
  }
  const sse = new SseReader()
  const reader = wire.createReader()
  for (let chunk: Buffer | null = first; chunk; ) {
    for (const data of sse.push(chunk)) collector.add(reader.read(data))
    chunk = collector.hasFinish ? await readTrailer(reply) : await reply.read()
  }
  for (const data of sse.end()) collector.add(reader.read(data))
  collector.add(reader.end())
}

/** Reads after the end of the answer. A failure no longer matters. */
async function readTrailer(reply: UpstreamReply): Promise<Buffer | null> {
  try {
    const chunk = reply.read()
    reply.limitRemaining(TRAILER_MS)
    return await chunk
  } catch (error) {
    if (error instanceof UpstreamFailed) return null
    throw error
  }
}

async function readAtMost(reply: UpstreamReply, bytesMax: number, ...chunks: Buffer[]): Promise<string> {
  let bytes = 0
  for await (const chunk of reply.body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) throw new UpstreamFailed('failed', 'the response of the upstream is too large')
  }
  return Buffer.concat(chunks).toString()
}

class AnswerCollector {
  requestBytes = 0
  readonly #request: ConversationRequest
  readonly #blocks = new BlockBuilder()
  readonly #limit: OutputLimit
  #finish: Finish | null = null
  #model: string | undefined
  #usage: ReportedUsage | undefined

  constructor(request: ConversationRequest) {
    this.#request = request
    this.#limit = new OutputLimit(request.maxOutputTokens)
  }

  get hasFinish(): boolean {
    return this.#finish !== null
  }

  get hasText(): boolean {
    return this.#blocks.characters > 0
  }

  add(events: readonly StreamEvent[]): void {
    for (const event of events) this.#addEvent(event)
  }

  addReply({ model, choices, usage }: Reply): void {
    this.#setModel(model)
    const [choice] = choices
    for (const block of choice?.blocks ?? []) this.#blocks.addWhole(block)
    this.#finish = choice?.finish ?? 'stop'
    if (usage) this.#setUsage(usage)
  }

  /** The complete answer. Throws when it is empty. */
  toAnswer(): ConversationAnswer {
    const blocks = this.#blocks.build()
    const isEmpty = blocks.every((block) => block.kind === 'thinking')
    // The next attempt would be filtered as well.
    if (isEmpty && this.#finish === 'content_filter') return this.#answer([], 'content_filter', NO_USAGE)
    if (isEmpty) throw new UpstreamFailed('failed', 'the upstream returned an empty answer')
    const usage = this.#usage
    const used: TokensUsed =
      usage && usage.outputTokens > 0 ? { ...usage, countedBy: 'upstream' } : this.#count()
    return this.#answer(blocks, this.#finish ?? 'stop', used)
  }

  /** The text at the moment when the call was ended from here. An incomplete tool call is dropped. */
  toEarlyAnswer(finish: 'stopped' | 'length'): ConversationAnswer {
    const blocks = this.#blocks.build().filter(({ kind }) => kind === 'text')
    const used = this.hasText ? this.#count() : NO_USAGE
    return this.#answer(blocks, finish, used)
  }

  #answer(
    blocks: readonly Block[],
    finish: ConversationAnswer['finish'],
    used: TokensUsed,
  ): ConversationAnswer {
    const { target, conversation } = this.#request
    const tagged = tagBlocks(blocks, target.wire ?? 'openai', conversation.wire)
    return { blocks: tagged, finish, model: this.#model ?? this.#request.model, used }
  }

  #addEvent(event: StreamEvent): void {
    if (event.kind === 'start') this.#setModel(event.model)
    else if (event.kind === 'finish') this.#finish = event.finish
    else if (event.kind === 'usage') this.#setUsage(event.usage)
    else {
      const piece = this.#blocks.add(event)
      this.#limit.check(this.#blocks.characters, () => this.#blocks.text())
      if (piece && piece.text !== '') this.#request.onPiece?.(piece)
    }
  }

  /** Checked before any text is passed on. */
  #setModel(reported: string): void {
    if (reported === '') return
    const { model, isModelPinned } = this.#request
    if (isModelPinned && reported !== model && !reported.startsWith(`${model}-`))
      throw new UpstreamFailed('failed', `model ${reported} answered instead of ${model}`)
    this.#model = reported.slice(0, 128)
  }

  #setUsage({
    inputTokens,
    outputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    reasoningTokens,
  }: TokenUsage): void {
    const usage: ReportedUsage = {
      promptTokens: inputTokens,
      outputTokens,
      ...(cachedInputTokens > 0 && { cachedTokens: cachedInputTokens }),
      ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
      ...(reasoningTokens > 0 && { reasoningTokens }),
    }
    const { maxOutputTokens } = this.#request
    if (isPlausibleUsage(usage, { requestBytes: this.requestBytes, maxOutputTokens })) this.#usage = usage
  }

  #count(): TokensUsed {
    const { conversation, maxOutputTokens } = this.#request
    const outputTokens = Math.min(countTokens(this.#blocks.text()), maxOutputTokens)
    return { promptTokens: countPrompt(conversation), outputTokens, countedBy: 'us' }
  }
}

const NO_USAGE: TokensUsed = { promptTokens: 0, outputTokens: 0, countedBy: 'us' }
