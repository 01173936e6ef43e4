// Parses server-sent events from bytes as upstreams really send them: any line end, any packet boundary, comments, a byte
// order mark, and a last event without its empty line.
import { isUtf8 } from 'node:buffer'
import { UpstreamFailed } from '../model-request.ts'

const EVENT_BYTES_MAX = 1024 * 1024
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** Returns the data of each event. Event names, ids and comments are ignored. */
export class SseReader {
  /** The beginning of an incomplete line. */
  #line: Buffer[] = []
  #lineBytes = 0
  #data: string[] = []
  #dataBytes = 0
  #isStart = true
  #endedWithReturn = false

  /** The events that these bytes complete. */
  push(chunk: Buffer): string[] {
    if (chunk.length === 0) return []
    const events: string[] = []
    let start = this.#endedWithReturn && chunk[0] === LINE_FEED ? 1 : 0
    this.#endedWithReturn = chunk.at(-1) === CARRIAGE_RETURN
    let feed = chunk.indexOf(LINE_FEED, start)
    let carriage = chunk.indexOf(CARRIAGE_RETURN, start)
    while (feed >= 0 || carriage >= 0) {
      const isFeed = carriage < 0 || (feed >= 0 && feed < carriage)
      const at = isFeed ? feed : carriage
      this.#take(chunk.subarray(start, at))
      this.#endLine(events)
      start = at + (!isFeed && feed === at + 1 ? 2 : 1)
      // Each search continues only after its last match, so that no byte is read more than twice.
      if (feed >= 0 && feed < start) feed = chunk.indexOf(LINE_FEED, start)
      if (carriage >= 0 && carriage < start) carriage = chunk.indexOf(CARRIAGE_RETURN, start)
    }
    this.#take(chunk.subarray(start))
    return events
  }

  /** The last event at the end of the input, even without its empty line. */
  end(): string[] {
    const events: string[] = []
    if (this.#lineBytes > 0) this.#endLine(events)
    this.#endLine(events)
    return events
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#lineBytes += bytes.length
    if (this.#lineBytes + this.#dataBytes > EVENT_BYTES_MAX)
      throw new UpstreamFailed('failed', 'the upstream sent an event over 1 MiB')
    this.#line.push(bytes)
  }

  #endLine(events: string[]): void {
    const [first = Buffer.alloc(0)] = this.#line
    let line = this.#line.length > 1 ? Buffer.concat(this.#line) : first
    this.#line = []
    this.#lineBytes = 0
    if (this.#isStart) {
      this.#isStart = false
      if (line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3)
    }
    if (!isUtf8(line)) throw new UpstreamFailed('failed', 'the upstream sent bytes that are not UTF-8')
    if (line.length > 0) this.#field(line.toString())
    else if (this.#data.length > 0) {
      events.push(this.#data.join('\n'))
      this.#data = []
      this.#dataBytes = 0
    }
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    if ((colon < 0 ? line : line.slice(0, colon)) !== 'data') return
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    this.#data.push(value)
    this.#dataBytes += value.length
  }
}
