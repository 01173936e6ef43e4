// Reads streams of the Gemini API. Each event is a whole reply with a piece of the answer.
import { type BlockStart, MalformedReplyError, type StreamEvent, type TokenUsage } from '../conversation.ts'
import { callIdOf, eventIn } from '../reply-values.ts'
import type { Fields, StreamReader } from '../wire.ts'
import { chunkIn, finishOf, logprobsIn, partsIn, type ReplyPart, readPart } from './reply.ts'

const CHOICES_MAX = 128

export function createReader(): StreamReader {
  const choices = new Map<number, OpenChoice>()
  let usage: TokenUsage | null = null
  let hasStarted = false
  let id = ''

  const read = (data: string): readonly StreamEvent[] => {
    const chunk = chunkIn(eventIn(data))
    const events: StreamEvent[] = []
    if (!hasStarted) {
      id = chunk.id
      events.push({ kind: 'start', id, model: chunk.model })
    }
    hasStarted = true
    usage = chunk.usage ?? usage
    for (const [position, candidate] of chunk.candidates.entries()) {
      const index = typeof candidate.index === 'number' ? candidate.index : position
      let choice = choices.get(index)
      if (!choice) {
        if (choices.size === CHOICES_MAX) throw new MalformedReplyError('the reply has too many candidates')
        choice = new OpenChoice(index, id)
        choices.set(index, choice)
      }
      choice.read(candidate, events)
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
  readonly #replyId: string
  #calls = 0
  #count = 0
  #hasCalls = false
  #open: 'text' | 'thinking' | null = null

  constructor(choice: number, replyId: string) {
    this.#choice = choice
    this.#replyId = replyId
  }

  read(candidate: Fields, events: StreamEvent[]): void {
    const logprobs = logprobsIn(candidate)
    for (const part of partsIn(candidate)) {
      const block = readPart(part, this.#newId)
      if (block.kind === 'tool_call') this.#addCall(block, events)
      else this.#addText(block, events, block.kind === 'text' && logprobs ? { logprobs } : undefined)
    }
    this.#finish(candidate.finishReason, events)
  }

  readonly #newId = (): string => callIdOf(this.#replyId, this.#choice, this.#calls++)

  #addText(
    { kind, text, signature }: Exclude<ReplyPart, { kind: 'tool_call' }>,
    events: StreamEvent[],
    more?: Pick<StreamEvent & { kind: 'delta' }, 'logprobs'>,
  ): void {
    // An empty text at the end carries a signature or nothing.
    if (text === '' && signature === undefined) return
    if (this.#open !== kind) {
      this.#close(events)
      this.#start({ kind }, events)
      this.#open = kind
    }
    const place = { choice: this.#choice, index: this.#count - 1 }
    if (text !== '') events.push({ kind: 'delta', ...place, text, ...more })
    if (signature === undefined) return
    events.push({ kind: 'signature', ...place, signature })
    this.#close(events)
  }

  #addCall(
    { id, name, arguments: text, signature }: ReplyPart & { kind: 'tool_call' },
    events: StreamEvent[],
  ): void {
    this.#close(events)
    this.#hasCalls = true
    this.#start({ kind: 'tool_call', id, name, ...(signature !== undefined && { signature }) }, events)
    const place = { choice: this.#choice, index: this.#count - 1 }
    events.push({ kind: 'delta', ...place, text }, { kind: 'block_end', ...place })
  }

  #finish(reason: unknown, events: StreamEvent[]): void {
    const finish = finishOf(reason, this.#hasCalls ? [{ kind: 'tool_call' }] : [])
    if (!finish || this.isFinished) return
    this.#close(events)
    this.isFinished = true
    events.push({ kind: 'finish', choice: this.#choice, finish })
  }

  #start(block: BlockStart, events: StreamEvent[]): void {
    if (this.isFinished) throw new MalformedReplyError('the answer continues after its end')
    events.push({ kind: 'block_start', choice: this.#choice, index: this.#count++, block })
  }

  #close(events: StreamEvent[]): void {
    if (this.#open) events.push({ kind: 'block_end', choice: this.#choice, index: this.#count - 1 })
    this.#open = null
  }
}
