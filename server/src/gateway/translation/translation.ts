// A client request that any provider can answer: it is translated to the format of the provider, and the answer back.
import { invalidFields } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Cost, ModelOutcome, Turn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import {
  countPrompt,
  countTokens,
  type ReportedUsage,
  UpstreamFailed,
} from '../../platform/inference/inference.ts'
import {
  type Conversation,
  createStreamTranslator,
  InexpressibleError,
  MalformedReplyError,
  ProviderStreamError,
  promptOf,
  type ReplyMeta,
  type RequestContext,
  readRequest,
  type StreamTranslator,
  type TokenUsage,
  translateReply,
  WireError,
  type WireName,
  wireOf,
  writeRequest,
} from '../../platform/wires/wires.ts'
import { costHeaders, secondsOf } from '../chat/completion.ts'
import { streamErrorOf } from '../chat/wire-errors.ts'
import { ceilingPerAnswer } from '../gateway.ts'
import type { StreamCall } from '../model-call.ts'
import { asStream, completionEvents } from '../stream/whole-as-stream.ts'
import { askChat, askProvider, readAll, type UpstreamResult } from '../upstream/upstream-call.ts'
import { type CountedUsage, countUsage, toTurnUsage, type UsageEvidence } from '../upstream/usage-count.ts'
import { relayTranslated } from './relay-translated.ts'

type Fields = Record<string, unknown>

/** Clients recognise the ids of their API. */
const ID_PREFIXES: Readonly<Record<WireName, string>> = {
  'openai-chat': 'chatcmpl_',
  'openai-responses': 'resp_',
  anthropic: 'msg_',
  gemini: '',
}

export type TranslationOptions = {
  readonly wire: WireName
  readonly body: Fields
  readonly context?: RequestContext
  /** OpenAI chat sends usage in streams only when asked. */
  readonly wantsUsage?: boolean
  /** The answer has our id, also where the provider has one. */
  readonly isOwnId?: boolean
  /** Gemini streams a JSON array unless SSE is requested. */
  readonly isArray?: boolean
}

/** Reads a request in the format of its client. A wrong field is a 400 that names it. */
export function readWireRequest(wire: WireName, body: Fields, context?: RequestContext): Conversation {
  try {
    return readRequest(wire, body, context)
  } catch (error) {
    throw fieldError(error)
  }
}

/** A wrong or unsupported field is an error of the client. */
export const fieldError = (error: unknown): unknown =>
  error instanceof WireError || error instanceof InexpressibleError
    ? invalidFields({
        path: error.field.replace(/\[(\d+)\]/g, '.$1'),
        message: error.message.slice(error.field.length + 1),
      })
    : error

export class Translation {
  readonly #options: TranslationOptions
  readonly #meta: ReplyMeta
  #conversation: Conversation | null = null
  #translator: StreamTranslator | null = null

  constructor(app: App, options: TranslationOptions) {
    this.#options = options
    const { body, wantsUsage = true, isArray = false } = options
    this.#meta = {
      model: options.context?.model ?? String(body.model),
      createdAt: secondsOf(app),
      isOwnId: options.isOwnId ?? false,
      id: `${ID_PREFIXES[options.wire]}${newId('gen').slice('gen_'.length)}`,
      wantsUsage,
      isArray,
      request: body,
    }
  }

  /** The id of the answer, where the provider has none or another answer may refer to it. */
  get id(): string {
    return this.#meta.id
  }

  /** Read on first use: a provider of the same format does not need it. */
  get conversation(): Conversation {
    const { wire, body, context } = this.#options
    this.#conversation ??= readWireRequest(wire, body, context)
    return this.#conversation
  }

  /** Formats an error that ends the stream. The frames of the server already have the formats of Anthropic and Gemini. */
  errorText(refusal: object): object | string {
    const { wire } = this.#options
    if (wire === 'anthropic' || wire === 'gemini') return refusal
    const writer = this.#translator ?? wireOf(wire).createWriter(this.#meta)
    return writer.error(streamErrorOf(refusal))
  }

  /** The last event of a native stream that we cut. */
  cutText(call: StreamCall, used: CountedUsage, cost: Cost): string {
    const writer = wireOf(this.#options.wire).createWriter(this.#metaOf(call))
    writer.write({ kind: 'finish', choice: 0, finish: 'length' })
    return writer.end(tokenUsageOf(used), cost)
  }

  /** The reply to a request for a lane names the model that serves it. */
  #metaOf({ route: { classPrices, model } }: StreamCall): ReplyMeta {
    return classPrices ? this.#meta : { ...this.#meta, model }
  }

  get hasBegun(): boolean {
    return this.#translator !== null
  }

  get keepAlive(): string {
    return wireOf(this.#options.wire).createWriter(this.#meta).keepAlive
  }

  /** Answers over the route of the call. */
  async answer(app: App, call: StreamCall, turn: Turn): Promise<ModelOutcome> {
    const { conversation } = this
    const { target, model } = call.route
    const wire = target.wire ?? 'openai'
    const outputCeiling = ceilingPerAnswer(call, turn)
    const options = { model, maxTokens: outputCeiling }
    const { path, body, adapted } = writeRequest(conversation, wire, options)
    call.nameChanges({ adapted, ignored: conversation.ignored })
    if (conversation.isStream) call.output.awaitFirstByte()
    const ask = { outputCeiling, isStream: conversation.isStream }
    const result =
      wire === 'openai'
        ? await askChat(app, call, withoutCallFields(body), ask)
        : await askProvider(app, call, { path, body: JSON.stringify(body), isStream: conversation.isStream })
    return withProviderFaults(() =>
      conversation.isStream ? this.#streamed(app, call, turn, result) : this.#whole(app, call, turn, result),
    )
  }

  async #streamed(
    app: App,
    call: StreamCall,
    turn: Turn,
    { reply, requestBytes }: UpstreamResult,
  ): Promise<ModelOutcome> {
    const from = call.route.target.wire ?? 'openai'
    const { conversation } = this
    const to = this.#options.wire
    const translator = createStreamTranslator({ from, to, conversation, meta: this.#metaOf(call) })
    this.#translator = translator
    const stream = from === 'openai' ? await asStream(reply, completionEvents) : reply
    const { ending, written } = await relayTranslated(app, call, turn, stream, translator)
    const isNothing = ending === 'stopped' && written.length === 0
    // Usage reported before the end covers less than was delivered.
    const reported = ending === 'complete' ? translator.usage() : null
    const outputTokens = () => written.tokens()
    const evidence = { ...this.#evidence(reported), requestBytes, outputTokens }
    const used = isNothing ? null : countUsage(app, call, turn, evidence)
    return {
      used: used && toTurnUsage(used),
      finish: ending === 'complete' ? (translator.finish() ?? 'stop') : ending === 'cut' ? 'length' : ending,
      last: (cost) => (used ? translator.close(tokenUsageOf(used), cost, ending === 'cut') : ''),
    }
  }

  #evidence(usage: TokenUsage | null): Pick<UsageEvidence, 'reported' | 'promptTokens' | 'media'> {
    const { conversation } = this
    const { mediaTokens: tokens, mediaCharacters: characters, hasFiles } = promptOf(conversation)
    return {
      reported: usage ? reportedOf(usage) : undefined,
      promptTokens: () => countPrompt(conversation),
      media: { tokens, characters, hasFiles },
    }
  }

  async #whole(
    app: App,
    call: StreamCall,
    turn: Turn,
    { reply, requestBytes }: UpstreamResult,
  ): Promise<ModelOutcome> {
    const { conversation } = this
    const from = call.route.target.wire ?? 'openai'
    const bytes = await readAll(reply)
    const translated = translateReply(
      { from, to: this.#options.wire, conversation, meta: this.#metaOf(call) },
      parseJson(bytes),
    )
    const outputTokens = () => countTokens(translated.text)
    const evidence = { ...this.#evidence(translated.usage), requestBytes, outputTokens }
    const used = countUsage(app, call, turn, evidence)
    // Before the settlement: a reply that cannot be written must cost nothing.
    translated.write(tokenUsageOf(used))
    return {
      // A disconnected client receives nothing and pays nothing.
      used: call.signal.aborted ? null : toTurnUsage(used),
      finish: translated.finish,
      last: (cost) => costHeaders(toJson(translated.write(tokenUsageOf(used), cost)), cost),
    }
  }
}

/** The fields of a chat completion that the caller of the provider sets. */
function withoutCallFields(body: Fields): Fields {
  const { model, stream, stream_options, max_tokens, max_completion_tokens, ...rest } = body
  return rest
}

/** A malformed answer and an error event are failures of the provider. */
async function withProviderFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Nesting that exceeds the stack is a RangeError.
    if (
      error instanceof MalformedReplyError ||
      error instanceof ProviderStreamError ||
      error instanceof RangeError
    )
      throw new UpstreamFailed('failed', 'the upstream sent a malformed answer or an error', { cause: error })
    throw error
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new UpstreamFailed('failed', 'the upstream returned no answer')
  }
}

const tokenUsageOf = (used: CountedUsage): TokenUsage => ({
  inputTokens: used.promptTokens,
  cachedInputTokens: used.cachedTokens ?? 0,
  cacheWriteTokens: used.cacheWriteTokens ?? 0,
  outputTokens: used.outputTokens,
  reasoningTokens: used.reasoningTokens ?? 0,
})

const reportedOf = (usage: TokenUsage): ReportedUsage => ({
  promptTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  ...(usage.cachedInputTokens > 0 && { cachedTokens: usage.cachedInputTokens }),
  ...(usage.cacheWriteTokens > 0 && { cacheWriteTokens: usage.cacheWriteTokens }),
  ...(usage.reasoningTokens > 0 && { reasoningTokens: usage.reasoningTokens }),
})
