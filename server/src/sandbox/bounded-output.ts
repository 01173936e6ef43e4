// Keeps the beginning and the end of an output of any length, in bounded memory.

export const OUTPUT_BYTES_MAX = 1 << 20
/** The line that replaces the dropped bytes. */
export const BYTES_LEFT_OUT = /^… \d+ bytes left out …$/m

/**
 * Collects bytes and copies each once. Above `bytesMax` it drops the middle and reports the number of dropped bytes.
 */
export class BoundedOutput {
  readonly #half: number
  #head: Buffer = Buffer.alloc(0)
  #headBytes = 0
  /** Ring buffer of the bytes after the head. Allocated on first use. */
  #ring: Buffer | null = null
  #ringAt = 0
  totalBytes = 0

  constructor(bytesMax = OUTPUT_BYTES_MAX) {
    this.#half = bytesMax >> 1
  }

  add(chunk: Buffer): void {
    this.totalBytes += chunk.length
    const toHead = Math.min(chunk.length, this.#half - this.#headBytes)
    if (toHead > 0) this.#keepFirst(chunk.subarray(0, toHead))
    if (toHead < chunk.length) this.#keepLast(chunk.subarray(toHead))
  }

  text(): string {
    const head = this.#head.subarray(0, this.#headBytes)
    const end = this.#end()
    const missing = this.totalBytes - head.length - end.length
    // A character cut in two is shown as a replacement character.
    if (missing === 0) return Buffer.concat([head, end]).toString('utf8')
    return `${head.toString('utf8')}\n… ${missing} bytes left out …\n${end.toString('utf8')}`
  }

  #keepFirst(piece: Buffer): void {
    const needed = this.#headBytes + piece.length
    if (needed > this.#head.length) {
      // Doubles the buffer: most runs print little.
      const larger = Buffer.alloc(Math.min(this.#half, Math.max(needed, this.#head.length * 2)))
      this.#head.copy(larger, 0, 0, this.#headBytes)
      this.#head = larger
    }
    piece.copy(this.#head, this.#headBytes)
    this.#headBytes = needed
  }

  #keepLast(piece: Buffer): void {
    this.#ring ??= Buffer.alloc(this.#half)
    const last = piece.subarray(Math.max(0, piece.length - this.#half))
    const toEnd = Math.min(last.length, this.#half - this.#ringAt)
    last.copy(this.#ring, this.#ringAt, 0, toEnd)
    last.copy(this.#ring, 0, toEnd)
    this.#ringAt = (this.#ringAt + last.length) % this.#half
  }

  #end(): Buffer {
    if (this.#ring === null) return Buffer.alloc(0)
    if (this.totalBytes - this.#headBytes < this.#half) return this.#ring.subarray(0, this.#ringAt)
    return Buffer.concat([this.#ring.subarray(this.#ringAt), this.#ring.subarray(0, this.#ringAt)])
  }
}
