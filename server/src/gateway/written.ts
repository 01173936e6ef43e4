// What a model has written so far, kept as small as it can be: for the rare case that we have to count it ourselves.
import { countTokens } from '../platform/inference/inference.ts'

const FIRST_BYTES = 1024
const BACKSLASH = 0x5c

/** Text as it stands inside JSON strings of a stream, its escapes still in it. They are undone when somebody counts. */
export class Written {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds the characters from `start` to `end` of a text in which each stands for one byte. */
  add(text: string, start: number, end: number): void {
    if (end === start) return
    const needed = this.#length + end - start
    if (needed > this.#bytes.length) this.#grow(needed)
    this.#bytes.write(text.slice(start, end), this.#length, 'latin1')
    this.#length = needed
  }

  tokens(): number {
    return countTokens(unescaped(this.#bytes.toString('utf8', 0, this.#length)))
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Where the JSON string ends whose first character is at `start`; the end of the text when it does not. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start)
  while (end !== -1 && isEscaped(text, end, start)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number, start: number): boolean {
  let backslashes = 0
  for (let i = at - 1; i >= start && text.charCodeAt(i) === BACKSLASH; i--) backslashes++
  return backslashes % 2 === 1
}

/** Escapes that an upstream got wrong stay as they are: they are counted, not shown. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
