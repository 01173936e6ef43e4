// Validates every event of a stream, and passes whole events on as bytes.
import { isUtf8 } from 'node:buffer'
import { malformed } from '../../platform/inference/completion/completion-chunk.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { OutputText } from './output-text.ts'

/** `keep`: pass the event on. `drop`: omit it. `end`: it ends the stream. Or replace its data, and its name where it has one. */
export type EventAction = 'keep' | 'drop' | 'end' | { readonly data: string; readonly event?: string }

export type EventGrammar = {
  /** Parses the data of an event. Throws when it is malformed or reports an error. */
  read(data: string, seen: StreamState, written: OutputText): EventAction
}

/** The state of a stream. */
export type StreamState = {
  /** The last event with usage. */
  usage: Record<string, unknown> | null
  /** The finish reason; null before the end. */
  finish: string | null
  /** The end marker has arrived. */
  isDone: boolean
  /** The event that is withheld until the settlement. */
  last: Record<string, unknown> | null
}

export const newStreamState = (): StreamState => ({ usage: null, finish: null, isDone: false, last: null })

const EVENT_MAX_BYTES = 1024 * 1024
const LINE_END = 0x0a
const NOTHING = Buffer.alloc(0)
const NONE: readonly Buffer[] = []

/** Takes bytes from the network and returns those that may be sent to the client now. */
export class SseFilter {
  readonly written = new OutputText()
  readonly seen = newStreamState()
  /** The stream has ended; later bytes are ignored. */
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
   * The rest of a stream that ends without its last blank line. After a complete answer, a partial event is ignored.
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

  /** Filters whole events. The bytes are unchanged unless an event is dropped or replaced. */
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
        if (typeof verdict === 'object') passed.push(textOf(verdict))
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

  /** An event without data is dropped. */
  #verdict(text: string, start: number, end: number): EventAction {
    const data = dataIn(text, start, end)
    return data === null ? 'drop' : this.#grammar.read(data, this.seen, this.written)
  }
}

const textOf = ({ data, event }: Exclude<EventAction, string>): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`

/** The joined `data:` lines of an event; null without any. */
function dataIn(text: string, start: number, end: number): string | null {
  // The fast path: one line of data.
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
  // The fast path: the upstream writes whole events.
  if (bytes[length - 1] === LINE_END && bytes[length - 2] === LINE_END) return length
  const line = bytes.lastIndexOf('\n\n')
  const carriage = bytes.lastIndexOf('\r\n\r\n')
  return Math.max(line === -1 ? 0 : line + 2, carriage === -1 ? 0 : carriage + 4)
}

/** The specification also allows single carriage returns as line ends. */
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
