// Server-sent events: turns chunks of text, split anywhere, into the data of complete frames.
import { CowrieError } from './errors.ts'

/** Limits memory when a server never ends a frame. */
export const FRAME_MAX_CHARACTERS = 16 * 1024 * 1024

export class EventParser {
  #line = ''
  #data: string[] = []
  #characters = 0
  #endedWithCr = false

  /** Adds the next chunk and returns the data of every frame that it completes. */
  push(chunk: string): string[] {
    const frames: string[] = []
    // A line ends with LF, CR or CRLF. A CR and LF that are split over two chunks end one line, not two.
    const text = this.#endedWithCr && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    if (chunk !== '') this.#endedWithCr = chunk.endsWith('\r')
    let start = 0
    for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g)) {
      this.#readLine(this.#line + text.slice(start, index), frames)
      this.#line = ''
      start = index + ending.length
    }
    this.#line += text.slice(start)
    if (this.#characters + this.#line.length > FRAME_MAX_CHARACTERS) throw tooLarge()
    return frames
  }

  /** Whether the text so far ends in the middle of a frame. */
  get unfinished(): boolean {
    return this.#data.length > 0 || (this.#line !== '' && !this.#line.startsWith(':'))
  }

  #readLine(line: string, frames: string[]): void {
    if (line === '') {
      if (this.#data.length > 0) frames.push(this.#data.join('\n'))
      this.#data = []
      this.#characters = 0
      return
    }
    // Comments and the fields event, id and retry are not used.
    const match = /^data(?:$|: ?)/.exec(line)
    if (!match) return
    this.#data.push(line.slice(match[0].length))
    this.#characters += line.length
  }
}

const tooLarge = () =>
  new CowrieError({
    status: 200,
    code: 'reply_too_large',
    message: `A frame of the stream is larger than ${FRAME_MAX_CHARACTERS} characters. Request less at once.`,
  })
