// What a model has written so far, for the rare case that we have to count it ourselves.
import { countTokens } from '../../platform/inference/inference.ts'

/** Of a completion and of a response: where words stand, and what holds them. All else, such as probabilities, is about them. */
const TEXT_FIELDS = new Set([
  'delta',
  'message',
  'content',
  'text',
  'refusal',
  'summary',
  'tool_calls',
  'function_call',
  'function',
  'custom',
  'name',
  'arguments',
  'input',
])
/** Some upstreams say their thoughts under two names. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const

export class OutputText {
  #texts: string[] = []
  #length = 0

  /** In characters. */
  get length(): number {
    return this.#length
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  get text(): string {
    return this.#texts.join('')
  }

  /** Adds all words in a piece of an answer, or in all of it. */
  add(piece: unknown): void {
    if (typeof piece === 'string') {
      if (piece === '') return
      this.#texts.push(piece)
      this.#length += piece.length
    } else if (Array.isArray(piece)) for (const each of piece) this.add(each)
    else if (piece !== null && typeof piece === 'object') this.#addFields(piece as Record<string, unknown>)
  }

  tokens(): number {
    return countTokens(this.text)
  }

  #addFields(fields: Record<string, unknown>): void {
    const thoughts = REASONING_FIELDS.find((name) => typeof fields[name] === 'string')
    for (const name of Object.keys(fields))
      if (TEXT_FIELDS.has(name) || name === thoughts) this.add(fields[name])
  }
}

/** The tokens of an answer that came in one piece. */
export function outputTokensIn(answer: unknown): number {
  const written = new OutputText()
  written.add(answer)
  return written.texts.reduce((sum, text) => sum + countTokens(text), 0)
}
