// Keeps the beginning and the end of an output of any length in limited memory.

/** Larger than what a model is sent, so that the cut can fall between lines. */
const KEPT_BYTES = 512 * 1024

export class BoundedOutput {
  readonly #half: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  totalBytes = 0

  constructor(keptBytes = KEPT_BYTES) {
    this.#half = keptBytes >> 1
  }

  add(chunk: Buffer): void {
    this.totalBytes += chunk.length
    const toHead = Math.min(chunk.length, this.#half - this.#headBytes)
    if (toHead > 0) {
      // A copy: a small piece must not keep a large chunk in memory.
      this.#head.push(Buffer.from(chunk.subarray(0, toHead)))
      this.#headBytes += toHead
    }
    const rest = chunk.subarray(toHead)
    if (rest.length === 0) return
    this.#tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - this.#half))))
    this.#tailBytes += this.#tail.at(-1)?.length ?? 0
    if (this.#tailBytes > this.#half * 2 || this.#tail.length > 4_096) this.#compact()
  }

  #compact(): void {
    const all = Buffer.concat(this.#tail)
    this.#tail = [Buffer.from(all.subarray(Math.max(0, all.length - this.#half)))]
    this.#tailBytes = this.#tail[0]?.length ?? 0
  }

  /** The text, with a line about the bytes that are left out. */
  text(): string {
    this.#compact()
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    const missing = this.totalBytes - head.length - tail.length
    if (missing <= 0) return Buffer.concat([head, tail]).toString('utf8')
    return `${head.toString('utf8')}\n… ${missing} bytes left out …\n${tail.toString('utf8')}`
  }
}

/** The first and last lines of a text, at most `charactersMax` characters, with the number of lines that are left out. */
export function cutMiddle(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const half = charactersMax >> 1
  let head = text.slice(0, half)
  let tail = text.slice(text.length - half)
  // Whole lines, if they are not too long.
  const lastLine = head.lastIndexOf('\n')
  if (lastLine > half / 2) head = head.slice(0, lastLine)
  const firstLine = tail.indexOf('\n')
  if (firstLine !== -1 && firstLine < half / 2) tail = tail.slice(firstLine + 1)
  const left = text.slice(head.length, text.length - tail.length)
  const lines = left.split('\n').filter((line) => line !== '').length
  return `${whole(head)}\n… ${lines} lines (${left.length} characters) left out …\n${whole(tail)}`
}

/** Without half of a surrogate pair at either end. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
