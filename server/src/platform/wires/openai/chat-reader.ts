// Reads streams of OpenAI's chat completions, in the variants of compatible providers.

import { type BlockStart, MalformedReplyError, type StreamEvent, type TokenUsage } from '../conversation.ts'
import { callIdOf, countIn, eventIn, readLogprobs, textIn } from '../reply-values.ts'
import { isRecord, isTruncatedJson } from '../values.ts'
import type { Fields, StreamReader } from '../wire.ts'
import { isChunk } from './chat-chunk.ts'
import { callProofIn, contentOf, detailsIn, finishOf, thoughtsIn, throwError, usageIn } from './chat-reply.ts'

const CHOICES_MAX = 128

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
    const chunk = eventIn(data)
    throwError(chunk)
    if (!isChunk(chunk)) throw new MalformedReplyError('an event is no completion chunk')
    const events: StreamEvent[] = []
    if (!hasStarted) events.push({ kind: 'start', id: textIn(chunk.id), model: textIn(chunk.model) })
    hasStarted = true
    const list = chunk.choices ?? []
    if (mayHaveUsage(chunk, list)) usage = usageIn(chunk) ?? usage
    for (const choice of list) {
      const index = countIn(choice.index)
      let open = choices.get(index)
      if (!open) {
        if (choices.size === CHOICES_MAX) throw new MalformedReplyError('the reply has too many choices')
        open = new OpenChoice(index, textIn(chunk.id))
        choices.set(index, open)
      }
      open.add(choice.delta ?? {}, choice, events)
      // Some providers send an empty reason before the end.
      if (choice.finish_reason) open.finish(choice.finish_reason, events)
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

/** Most chunks have none, and a search in all places is slow. */
const mayHaveUsage = (chunk: Fields, [choice]: readonly Fields[]): boolean =>
  (chunk.usage ?? chunk.x_groq ?? chunk.timings ?? chunk.usageMetadata ?? choice?.usage ?? null) !== null

type Call = { readonly start: BlockStart & { kind: 'tool_call' }; text: string; isEnded: boolean }
/** How often a choice looks whether an open call is complete. */
const LOOKS_MAX = 1_000

/** The blocks of a choice, in the order in which they started. Calls may arrive side by side and are sent in sequence. */
class OpenChoice {
  isFinished = false
  readonly #choice: number
  readonly #replyId: string
  #count = 0
  #open: BlockStart['kind'] | null = null
  /** All calls by their number; those after the open one wait. */
  readonly #calls: Call[] = []
  readonly #numbers = new Map<number, number>()
  #current = -1
  #looks = 0

  constructor(choice: number, replyId: string) {
    this.#choice = choice
    this.#replyId = replyId
  }

  add(delta: Fields, choice: Fields, events: StreamEvent[]): void {
    const { content, tool_calls: calls } = delta
    if (delta.reasoning_content != null || delta.reasoning != null || delta.reasoning_details != null)
      this.#addThoughts(delta, events)
    else if (Array.isArray(content)) this.#addText('thinking', contentOf(content).thoughts, events)
    if (content != null) {
      const logprobs = isRecord(choice.logprobs) ? readLogprobs(choice.logprobs.content) : undefined
      const text = typeof content === 'string' ? content : contentOf(content).text
      this.#addText('text', text, events, logprobs && { logprobs })
    }
    if (typeof delta.refusal === 'string') this.#addText('refusal', delta.refusal, events)
    if (!Array.isArray(calls)) return
    for (const [position, call] of calls.entries())
      this.#addCall(typeof call.index === 'number' ? call.index : position, call, events)
  }

  finish(reason: unknown, events: StreamEvent[]): void {
    if (this.isFinished) return
    this.#close(events)
    this.isFinished = true
    events.push({ kind: 'finish', choice: this.#choice, finish: finishOf(reason, this.#calls.length > 0) })
  }

  #addThoughts(delta: Fields, events: StreamEvent[]): void {
    const details = detailsIn(delta)
    this.#addText('thinking', thoughtsIn(delta), events)
    for (const { signature, redacted } of details) {
      if (redacted !== undefined) {
        this.#close(events)
        this.#start({ kind: 'thinking', redacted }, events)
        this.#close(events)
      }
      if (signature === undefined) continue
      if (this.#open !== 'thinking') {
        this.#close(events)
        this.#start({ kind: 'thinking' }, events)
      }
      events.push({ kind: 'signature', ...this.#place(), signature })
    }
  }

  #addText(
    kind: 'thinking' | 'text' | 'refusal',
    text: string,
    events: StreamEvent[],
    more?: Pick<StreamEvent & { kind: 'delta' }, 'logprobs'>,
  ): void {
    if (text === '') return
    this.#requireOpen()
    if (this.#open !== kind) {
      this.#close(events)
      this.#start({ kind }, events)
    }
    events.push({ kind: 'delta', choice: this.#choice, index: this.#count - 1, text, ...more })
  }

  #addCall(index: number, fields: Fields, events: StreamEvent[]): void {
    this.#requireOpen()
    const isCustom = fields.type === 'custom' || isRecord(fields.custom)
    const called = isRecord(fields.custom) ? fields.custom : isRecord(fields.function) ? fields.function : {}
    const number = this.#numberOf(index, fields, called, isCustom)
    const call = this.#calls[number]
    if (!call) return
    const text = textIn(isCustom || call.start.isCustom ? called.input : called.arguments)
    if (number > this.#current && (this.#open !== 'tool_call' || this.#isNext())) this.#startNext(events)
    if (text === '') return
    if (call.isEnded) {
      if (text.trim() !== '') throw new MalformedReplyError('a piece belongs to a tool call that has ended')
      return
    }
    call.text += text
    if (number === this.#current) events.push({ kind: 'delta', ...this.#place(), text })
  }

  /** The call that a piece belongs to. Some providers number each call 0, so a new id is a new call. */
  #numberOf(index: number, fields: Fields, called: Fields, isCustom: boolean): number {
    const known = this.#numbers.get(index)
    const id = textIn(fields.id)
    const isSame = known !== undefined && (id === '' || id === this.#calls[known]?.start.id)
    if (known !== undefined && (isSame || typeof called.name !== 'string')) return known
    if (typeof called.name !== 'string') throw new MalformedReplyError('a tool call starts without a name')
    const number = this.#calls.length
    const signature = callProofIn(fields)
    const start = {
      kind: 'tool_call',
      id: id || callIdOf(this.#replyId, this.#choice, number),
      name: called.name,
      ...(isCustom && { isCustom }),
      ...(signature && { signature }),
    } as const
    this.#calls.push({ start, text: '', isEnded: false })
    this.#numbers.set(index, number)
    return number
  }

  /** Whether a later call can start, because the arguments of the open one are complete. */
  #isNext(): boolean {
    const open = this.#calls[this.#current]
    if (!open || ++this.#looks > LOOKS_MAX) return false
    return !open.start.isCustom && open.text.trim() !== '' && !isTruncatedJson(open.text)
  }

  #startNext(events: StreamEvent[]): void {
    this.#end(events)
    const call = this.#calls[++this.#current]
    if (!call) return
    this.#start(call.start, events)
    if (call.text !== '') events.push({ kind: 'delta', ...this.#place(), text: call.text })
  }

  #start(block: BlockStart, events: StreamEvent[]): void {
    this.#open = block.kind
    events.push({ kind: 'block_start', choice: this.#choice, index: this.#count++, block })
  }

  /** Ends the open block. */
  #end(events: StreamEvent[]): void {
    const call = this.#open === 'tool_call' ? this.#calls[this.#current] : undefined
    if (call) call.isEnded = true
    if (this.#open) events.push({ kind: 'block_end', ...this.#place() })
    this.#open = null
  }

  /** Ends the open block and the calls that wait. */
  #close(events: StreamEvent[]): void {
    this.#end(events)
    while (this.#current < this.#calls.length - 1) {
      this.#current++
      const call = this.#calls[this.#current]
      if (!call) return
      this.#start(call.start, events)
      if (call.text !== '') events.push({ kind: 'delta', ...this.#place(), text: call.text })
      this.#end(events)
    }
  }

  #place(): { readonly choice: number; readonly index: number } {
    return { choice: this.#choice, index: this.#count - 1 }
  }

  #requireOpen(): void {
    if (this.isFinished) throw new MalformedReplyError('the answer continues after its end')
  }
}
