// An answer while it is being written: what has come, and what can be said about it at any moment.

import { type ModelAnswer, type ModelRequest, type TokensUsed, UpstreamFailed } from '../model-request.ts'
import { countPromptTokens, countTokens } from '../tokens/count-tokens.ts'
import type { CompletionChunk } from './completion-chunk.ts'
import { OutputLimit } from './output-limit.ts'
import { isPlausibleUsage, type ReportedUsage } from './usage.ts'

export class AnswerBuilder {
  readonly #question: ModelRequest
  readonly #requestBytes: number
  #text: string[] = []
  /** The first half of a character whose second half may come with the next piece. */
  #half = ''
  #reasoning: string[] = []
  #characters = 0
  #callsTools = false
  #finish: string | null = null
  #model: string | undefined
  #usage: ReportedUsage | undefined
  #hasOddUsage = false
  readonly #bound: OutputLimit

  constructor(question: ModelRequest, requestBytes: number) {
    this.#question = question
    this.#bound = new OutputLimit(question.maxOutputTokens)
    this.#requestBytes = requestBytes
  }

  get hasText(): boolean {
    return this.#text.length > 0
  }

  get hasFinish(): boolean {
    return this.#finish !== null
  }

  /** The upstream said something about usage that cannot be believed. */
  get hasImplausibleUsage(): boolean {
    return this.#hasOddUsage
  }

  /** Returns what the piece adds to the answer, fit to be shown and stored. */
  add({
    text: written,
    reasoning,
    callsTools,
    finish,
    model,
    usage,
    mentionsUsage,
  }: CompletionChunk): string {
    const text = this.#whole(written)
    this.#characters += written.length + reasoning.length
    this.#bound.check(this.#characters, () => [...this.#reasoning, reasoning, ...this.#text, text].join(''))
    if (text) this.#text.push(text)
    if (reasoning) this.#reasoning.push(reasoning)
    this.#callsTools ||= callsTools
    this.#finish = finish ?? this.#finish
    this.#model = (model && toStorable(model)) || this.#model
    this.#requireModel()
    if (usage && isPlausibleUsage(usage, this.#bounds())) this.#usage = usage
    else this.#hasOddUsage ||= mentionsUsage
    return text
  }

  /** The complete answer. Throws when it is none. */
  toFinalAnswer(): ModelAnswer {
    if (this.#finish === 'error') throw new UpstreamFailed('failed', 'the upstream gave its answer up')
    if (this.#text.join('').trim() === '') {
      const reason = this.#callsTools
        ? 'the upstream called a tool it was not given'
        : this.#finish === 'content_filter'
          ? 'the upstream withheld its answer'
          : 'the upstream answered with nothing'
      throw new UpstreamFailed('failed', reason)
    }
    return this.#answer(toFinishReason(this.#finish), this.#usageOrCount())
  }

  /** What had come when nobody wanted more. The upstream's own count comes at the end, so this one is ours. */
  toStoppedAnswer(): ModelAnswer {
    return this.#answer('stopped', this.hasText ? this.#count() : NOTHING_USED)
  }

  /** What had come when a bound of ours ended it. */
  toTruncatedAnswer(): ModelAnswer {
    return this.#answer('length', this.#count())
  }

  /** Characters arrive in two pieces now and then. One that never becomes whole is left out. */
  #whole(written: string): string {
    const text = this.#half + written
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    return toStorable(text.slice(0, text.length - this.#half.length))
  }

  /** Before anybody hears a word of it. */
  #requireModel(): void {
    const { model, isModelPinned: isBound } = this.#question
    const answering = this.#model ?? model
    if (isBound && answering !== model && !answering.startsWith(`${model}-`))
      throw new UpstreamFailed('failed', `${answering} answers although only ${model} may`)
  }

  #answer(finish: ModelAnswer['finish'], used: TokensUsed): ModelAnswer {
    return { text: this.#text.join(''), finish, model: this.#model ?? this.#question.model, used }
  }

  #usageOrCount(): TokensUsed {
    const usage = this.#usage
    // Nothing for something is no count.
    return usage && usage.outputTokens > 0 ? { ...usage, countedBy: 'upstream' } : this.#count()
  }

  #count(): TokensUsed {
    const { messages, maxOutputTokens } = this.#question
    const reasoning = Math.min(countTokens(this.#reasoning.join('')), maxOutputTokens)
    const output = Math.min(countTokens(this.#text.join('')) + reasoning, maxOutputTokens)
    return {
      promptTokens: countPromptTokens(messages),
      outputTokens: output,
      ...(reasoning > 0 && { reasoningTokens: reasoning }),
      countedBy: 'us',
    }
  }

  #bounds = () => ({
    requestBytes: this.#requestBytes,
    maxOutputTokens: this.#question.maxOutputTokens,
  })
}

function toFinishReason(finish: string | null): ModelAnswer['finish'] {
  if (finish === 'content_filter') return finish
  return /^(?:length|max_tokens|max_output_tokens)$/i.test(finish ?? '') ? 'length' : 'stop'
}

/** No database keeps a NUL, and no text has half of a character in it; a model can write both. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

const NOTHING_USED: TokensUsed = { promptTokens: 0, outputTokens: 0, countedBy: 'us' }
