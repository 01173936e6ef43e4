// A stream of events on its way through: whole events are passed on as bytes, and only a few are looked into.
import { BoundReached } from '../platform/inference/patience.ts'
import { endOfString, Written } from './written.ts'

/** What an event that we look into means. `keep`: pass it on. `drop`: it is ours to tell. `end`: it is the last of all. */
export type Verdict = 'keep' | 'drop' | 'end'

export type Grammar = {
  /**
   * What to look for. A match without its group is followed by text that the model wrote, up to the closing quote; one
   * with it is in an event that has to be looked into. It has the flags g and m. Inside a JSON string every quote is
   * escaped and no line begins, so no text of a model can look like what is sought.
   */
  readonly pattern: RegExp
  /** Looks into an event by its data; throws when it says that the upstream failed. */
  read(data: string, seen: Seen): Verdict
}

/** What was learnt on the way. */
export type Seen = {
  /** The last event that said what was used. */
  usage: Record<string, unknown> | null
  /** Why it ended, by its own account; null before. */
  finish: string | null
  /** The event that is kept back until the money is settled. */
  last: Record<string, unknown> | null
  /** As the upstream names it, where somebody asked. */
  model: string | null
}

const EVENT_MAX_BYTES = 1024 * 1024
const LINE_END = 0x0a
const NOTHING = Buffer.alloc(0)
const NONE: readonly Buffer[] = []

/** Takes bytes as they come from the network and gives back those that may go to the client now. */
export class Sieve {
  readonly written = new Written()
  readonly seen: Seen = { usage: null, finish: null, last: null, model: null }
  /** Nothing of interest follows. */
  isOver = false
  readonly #grammar: Grammar
  #rest: Buffer = NOTHING

  constructor(grammar: Grammar) {
    this.#grammar = grammar
  }

  take(bytes: Buffer): readonly Buffer[] {
    const joined = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes
    const all = endOfEvents(joined) === 0 ? withLineEnds(joined) : joined
    const end = endOfEvents(all)
    this.#rest = end === all.length ? NOTHING : all.subarray(end)
    if (this.#rest.length > EVENT_MAX_BYTES) throw new BoundReached('failed', 'an event without an end')
    return end === 0 ? NONE : this.#look(all, end)
  }

  /** What is left when the stream ends without the blank line that it owes. */
  finish(): readonly Buffer[] {
    const rest = this.#rest
    this.#rest = NOTHING
    if (rest.length === 0) return NONE
    const whole = Buffer.concat([rest, Buffer.from('\n\n')])
    return this.#look(whole, whole.length)
  }

  /** One byte is one character here, so places in the text are places in the bytes. */
  #look(bytes: Buffer, end: number): readonly Buffer[] {
    const text = bytes.toString('latin1', 0, end)
    const { pattern } = this.#grammar
    const passed: Buffer[] = []
    let from = 0
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      if (match[1] === undefined) {
        const start = pattern.lastIndex
        pattern.lastIndex = endOfString(text, start)
        this.written.add(text, start, pattern.lastIndex)
        continue
      }
      const begins = startOfEvent(text, match.index)
      const ends = endOfEvent(text, match.index)
      const verdict = this.#grammar.read(dataOf(bytes.toString('utf8', begins, ends)), this.seen)
      if (verdict === 'keep') continue
      if (begins > from) passed.push(bytes.subarray(from, begins))
      from = ends
      pattern.lastIndex = ends
      if (verdict === 'end') {
        this.isOver = true
        return passed
      }
    }
    if (end > from) passed.push(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end))
    return passed
  }
}

/** The data of an event: its `data:` lines, put together. */
export function dataOf(event: string): string {
  const lines: string[] = []
  for (const line of event.split(/\r\n|\n|\r/)) {
    const clean = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line
    if (clean.startsWith('data:')) lines.push(clean.slice(clean[5] === ' ' ? 6 : 5))
  }
  return lines.join('\n')
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

function startOfEvent(text: string, at: number): number {
  const line = text.lastIndexOf('\n\n', at)
  const carriage = text.lastIndexOf('\r\n\r\n', at)
  return Math.max(line === -1 ? 0 : line + 2, carriage === -1 ? 0 : carriage + 4)
}

function endOfEvent(text: string, at: number): number {
  const line = text.indexOf('\n\n', at)
  const carriage = text.indexOf('\r\n\r\n', at)
  const ends = [line === -1 ? text.length : line + 2, carriage === -1 ? text.length : carriage + 4]
  return Math.min(...ends)
}
