// Collects the chunks of a streamed answer and builds the result.

import { isPlausibleUsage, type ReportedUsage } from '../../wires/usage.ts'
import { type ModelAnswer, type ModelRequest, type TokensUsed, UpstreamFailed } from '../model-request.ts'
import { countPromptTokens, countTokens } from '../tokens/count-tokens.ts'
import type { CompletionChunk } from './completion-chunk.ts'
import { OutputLimit } from './output-limit.ts'

export class AnswerBuilder {
  readonly #request: ModelRequest
  readonly #requestBytes: number
  #text: string[] = []
  /** A high surrogate at the end of a chunk. Its second half may come with the next chunk. */
  #highSurrogate = ''
  #reasoning: string[] = []
  #characters = 0
  #callsTools = false
  #finish: string | null = null
  #model: string | undefined
  #usage: ReportedUsage | undefined
  #hasOddUsage = false
  readonly #limit: OutputLimit

  constructor(request: ModelRequest, requestBytes: number) {
    this.#request = request
    this.#limit = new OutputLimit(request.maxOutputTokens)
    this.#requestBytes = requestBytes
  }

  get hasText(): boolean {
    return this.#text.length > 0
  }

  get hasFinish(): boolean {
    return this.#finish !== null
  }

  /** The upstream reported usage that is not plausible. */
  get hasImplausibleUsage(): boolean {
    return this.#hasOddUsage
  }

  /** Returns the text that the chunk adds, safe to show and store. */
  add({ text: raw, reasoning, callsTools, finish, model, usage, mentionsUsage }: CompletionChunk): string {
    const text = this.#joinSurrogates(raw)
    this.#characters += raw.length + reasoning.length
    this.#limit.check(this.#characters, () => [...this.#reasoning, reasoning, ...this.#text, text].join(''))
    if (text) this.#text.push(text)
    if (reasoning) this.#reasoning.push(reasoning)
    this.#callsTools ||= callsTools
    this.#finish = finish ?? this.#finish
    this.#model = (model && toStorable(model)) || this.#model
    this.#requireModel()
    if (usage && isPlausibleUsage(usage, this.#usageLimits())) this.#usage = usage
    else this.#hasOddUsage ||= mentionsUsage
    return text
  }

  /** The complete answer. Throws when it is empty or failed. */
  toFinalAnswer(): ModelAnswer {
    if (this.#finish === 'error')
      throw new UpstreamFailed('failed', 'the upstream ended its answer with an error')
    if (this.#text.join('').trim() === '') {
      const reason = this.#callsTools
        ? 'the upstream called a tool that was not offered'
        : this.#finish === 'content_filter'
          ? 'the upstream filtered its answer'
          : 'the upstream returned an empty answer'
      throw new UpstreamFailed('failed', reason)
    }
    return this.#answer(toFinishReason(this.#finish), this.#usageOrCount())
  }

  /** The text at the moment of an abort. We count the tokens, because upstreams report usage only at the end. */
  toStoppedAnswer(): ModelAnswer {
    return this.#answer('stopped', this.hasText ? this.#count() : NO_USAGE)
  }

  /** The text at the moment when one of our limits ended the call. */
  toTruncatedAnswer(): ModelAnswer {
    return this.#answer('length', this.#count())
  }

  /** Joins surrogate pairs that were split between chunks. An incomplete pair is dropped. */
  #joinSurrogates(raw: string): string {
    const text = this.#highSurrogate + raw
    this.#highSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    return toStorable(text.slice(0, text.length - this.#highSurrogate.length))
  }

  /** Checked before any text is passed on. */
  #requireModel(): void {
    const { model, isModelPinned } = this.#request
    const reported = this.#model ?? model
    if (isModelPinned && reported !== model && !reported.startsWith(`${model}-`))
      throw new UpstreamFailed('failed', `model ${reported} answered instead of ${model}`)
  }

  #answer(finish: ModelAnswer['finish'], used: TokensUsed): ModelAnswer {
    return { text: this.#text.join(''), finish, model: this.#model ?? this.#request.model, used }
  }

  #usageOrCount(): TokensUsed {
    const usage = this.#usage
    // Zero output tokens for a text that is not empty is not a valid count.
    return usage && usage.outputTokens > 0 ? { ...usage, countedBy: 'upstream' } : this.#count()
  }

  #count(): TokensUsed {
    const { messages, maxOutputTokens } = this.#request
    const reasoning = Math.min(countTokens(this.#reasoning.join('')), maxOutputTokens)
    const output = Math.min(countTokens(this.#text.join('')) + reasoning, maxOutputTokens)
    return {
      promptTokens: countPromptTokens(messages),
      outputTokens: output,
      ...(reasoning > 0 && { reasoningTokens: reasoning }),
      countedBy: 'us',
    }
  }

  #usageLimits = () => ({
    requestBytes: this.#requestBytes,
    maxOutputTokens: this.#request.maxOutputTokens,
  })
}

function toFinishReason(finish: string | null): ModelAnswer['finish'] {
  if (finish === 'content_filter') return finish
  return /^(?:length|max_tokens|max_output_tokens)$/i.test(finish ?? '') ? 'length' : 'stop'
}

/** Removes NUL, which PostgreSQL cannot store, and replaces unpaired surrogates. Models can write both. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

const NO_USAGE: TokensUsed = { promptTokens: 0, outputTokens: 0, countedBy: 'us' }
