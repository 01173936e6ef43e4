// Output of any length in a bounded space: its beginning and its end.

export const KEPT_BYTES = 1 << 20

/** Takes bytes as they come. Of more than `bytesMax` it forgets the middle and says how much that was. */
export class KeptOutput {
  readonly #half: number
  readonly #first: Buffer[] = []
  readonly #last: Buffer[] = []
  #firstBytes = 0
  #lastBytes = 0
  totalBytes = 0

  constructor(bytesMax = KEPT_BYTES) {
    this.#half = bytesMax >> 1
  }

  add(chunk: Buffer): void {
    this.totalBytes += chunk.length
    const room = this.#half - this.#firstBytes
    const head = chunk.subarray(0, Math.max(0, room))
    if (head.length > 0) {
      this.#first.push(head)
      this.#firstBytes += head.length
    }
    const tail = chunk.subarray(head.length)
    if (tail.length > 0) this.#keepLast(tail)
  }

  text(): string {
    const first = Buffer.concat(this.#first)
    const last = Buffer.concat(this.#last)
    const end = last.subarray(Math.max(0, last.length - this.#half))
    const missing = this.totalBytes - first.length - end.length
    // A character that was cut in two is shown as the sign for one that cannot be read.
    if (missing === 0) return Buffer.concat([first, end]).toString('utf8')
    return `${first.toString('utf8')}\n… ${missing} bytes left out …\n${end.toString('utf8')}`
  }

  #keepLast(tail: Buffer): void {
    this.#last.push(tail)
    this.#lastBytes += tail.length
    for (;;) {
      const oldest = this.#last[0]
      if (oldest === undefined || this.#lastBytes - oldest.length < this.#half) return
      this.#last.shift()
      this.#lastBytes -= oldest.length
    }
  }
}
