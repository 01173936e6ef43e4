// Server-sent events: from chunks of text, cut anywhere, to the data of whole frames.

/** A frame larger than this is refused: a server that never ends a frame must not fill our memory. */
export const FRAME_MAX_CHARACTERS = 16 * 1024 * 1024

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'
}

export class EventParser {
  #line = ''
  #data: string[] = []
  #characters = 0
  #endedInReturn = false

  /** Takes the next chunk and gives the data of every frame that it completes. */
  push(chunk: string): string[] {
    const frames: string[] = []
    let start = this.#endedInReturn && chunk.startsWith('\n') ? 1 : 0
    // A line ends in LF, CR or CRLF. A CR at the very end is taken as the end; an LF that still follows belongs to it.
    for (const { index, 0: ending } of chunk.slice(start).matchAll(/\r\n|\n|\r/g)) {
      const at = index + (this.#endedInReturn && chunk.startsWith('\n') ? 1 : 0)
      this.#takeLine(this.#line + chunk.slice(start, at), frames)
      this.#line = ''
      start = at + ending.length
    }
    this.#line += chunk.slice(start)
    if (chunk.length > 0) this.#endedInReturn = chunk.endsWith('\r')
    if (this.#characters + this.#line.length > FRAME_MAX_CHARACTERS) throw new FrameTooLarge(`a frame is larger than ${FRAME_MAX_CHARACTERS} characters`)
    return frames
  }

  /** Whether the text so far ends in the middle of a frame. */
  get unfinished(): boolean {
    return this.#data.length > 0 || (this.#line !== '' && !this.#line.startsWith(':'))
  }

  #takeLine(line: string, frames: string[]): void {
    if (line === '') {
      if (this.#data.length > 0) frames.push(this.#data.join('\n'))
      this.#data = []
      this.#characters = 0
      return
    }
    // Comments and the fields event, id and retry carry nothing for us.
    const match = /^data(?:$|: ?)/.exec(line)
    if (!match) return
    this.#data.push(line.slice(match[0].length))
    this.#characters += line.length
  }
}
