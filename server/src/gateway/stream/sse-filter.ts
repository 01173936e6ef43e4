// A stream of events on its way through: every event is checked, and whole events are passed on as bytes.
import { isUtf8 } from 'node:buffer'
import { malformed } from '../../platform/inference/completion-chunk.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { OutputText } from './output-text.ts'

/** What becomes of an event. `keep`: pass it on. `drop`: it is ours to tell. `end`: it is the last of all. Or other data to pass on. */
export type EventAction = 'keep' | 'drop' | 'end' | { readonly data: string }

export type EventGrammar = {
  /** Reads the data of an event; throws when it is malformed or says that the upstream failed. */
  read(data: string, seen: StreamState, written: OutputText): EventAction
}

/** What was learnt on the way. */
export type StreamState = {
  /** The last event that said what was used. */
  usage: Record<string, unknown> | null
  /** Why it ended, by its own account; null before. */
  finish: string | null
  /** It said that nothing follows. */
  isDone: boolean
  /** The event that is kept back until the money is settled. */
  last: Record<string, unknown> | null
}

export const newStreamState = (): StreamState => ({ usage: null, finish: null, isDone: false, last: null })

const EVENT_MAX_BYTES = 1024 * 1024
const LINE_END = 0x0a
const NOTHING = Buffer.alloc(0)
const NONE: readonly Buffer[] = []

/** Takes bytes as they come from the network and gives back those that may go to the client now. */
export class SseFilter {
  readonly written = new OutputText()
  readonly seen = newStreamState()
  /** Nothing of interest follows. */
  isOver = false
  readonly #grammar: EventGrammar
  #rest: Buffer = NOTHING

  constructor(grammar: EventGrammar) {
    this.#grammar = grammar
  }

  take(bytes: Buffer): readonly Buffer[] {
    const joined = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes
    const all = endOfEvents(joined) === 0 ? withLineEnds(joined) : joined
    const end = endOfEvents(all)
    this.#rest = end === all.length ? NOTHING : all.subarray(end)
    if (this.#rest.length > EVENT_MAX_BYTES) throw malformed('an event that is too long')
    return end === 0 ? NONE : this.#look(end === all.length ? all : all.subarray(0, end))
  }

  /**
   * What is left when the stream ends without the blank line that it owes. Where the answer itself is complete, half an
   * event behind it says nothing any more.
   */
  finish(): readonly Buffer[] {
    const rest = this.#rest
    this.#rest = NOTHING
    if (rest.length === 0) return NONE
    try {
      return this.#look(Buffer.concat([rest, Buffer.from('\n\n')]))
    } catch (error) {
      if (error instanceof UpstreamFailed && this.seen.finish !== null) return NONE
      throw error
    }
  }

  /** Whole events. They stay the bytes that they were unless one of them is left out. */
  #look(bytes: Buffer): readonly Buffer[] {
    if (!isUtf8(bytes) || bytes.includes(0)) throw malformed('bytes that are no text')
    const text = bytes.toString()
    const hasReturns = text.includes('\r')
    const passed: string[] = []
    let from = 0
    for (let at = 0; at < text.length && !this.isOver; ) {
      const ends = endOfEvent(text, at, hasReturns)
      const verdict = this.#verdict(text, at, ends)
      if (verdict !== 'keep') {
        passed.push(text.slice(from, at))
        if (typeof verdict === 'object') passed.push(`data: ${verdict.data}\n\n`)
        from = ends
        this.isOver = verdict === 'end'
      }
      at = ends
    }
    if (from === 0) return [bytes]
    if (!this.isOver) passed.push(text.slice(from))
    const kept = passed.join('')
    return kept === '' ? NONE : [Buffer.from(kept)]
  }

  /** An event without data says nothing to anybody. */
  #verdict(text: string, start: number, end: number): EventAction {
    const data = dataIn(text, start, end)
    return data === null ? 'drop' : this.#grammar.read(data, this.seen, this.written)
  }
}

/** The data of an event: its `data:` lines, put together; null when it has none. */
function dataIn(text: string, start: number, end: number): string | null {
  // Nearly always: one line of data and nothing else.
  const isOneLine = text.startsWith('data:', start) && text.indexOf('\n', start) === end - 2
  // A carriage return ends a line too.
  const carriage = isOneLine ? text.indexOf('\r', start) : -1
  if (isOneLine && (carriage === -1 || carriage >= end))
    return text.slice(start + (text[start + 5] === ' ' ? 6 : 5), end - 2)
  const lines: string[] = []
  for (const line of text.slice(start, end).split(/\r\n|\n|\r/)) {
    const clean = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line
    if (clean.startsWith('data:')) lines.push(clean.slice(clean[5] === ' ' ? 6 : 5))
  }
  return lines.length === 0 ? null : lines.join('\n')
}

function endOfEvents(bytes: Buffer): number {
  const { length } = bytes
  // Nearly always: an upstream writes whole events.
  if (bytes[length - 1] === LINE_END && bytes[length - 2] === LINE_END) return length
  const line = bytes.lastIndexOf('\n\n')
  const carriage = bytes.lastIndexOf('\r\n\r\n')
  return Math.max(line === -1 ? 0 : line + 2, carriage === -1 ? 0 : carriage + 4)
}

/** Lines may also end with a carriage return alone. Nobody does that, but it is allowed. */
function withLineEnds(bytes: Buffer): Buffer {
  if (!bytes.includes('\r\r')) return bytes
  return Buffer.from(bytes.toString('latin1').replaceAll('\r', '\n'), 'latin1')
}

function endOfEvent(text: string, at: number, hasReturns: boolean): number {
  const line = text.indexOf('\n\n', at)
  const carriage = hasReturns ? text.indexOf('\r\n\r\n', at) : -1
  const ends = line === -1 ? text.length : line + 2
  return carriage === -1 ? ends : Math.min(ends, carriage + 4)
}
