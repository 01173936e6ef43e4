// The output text of a model so far, for our own token count.
import { countTokens } from '../../platform/inference/inference.ts'

/** The fields of a completion or response that contain output text. Others, such as log probabilities, are not output. */
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
/** Some upstreams send reasoning under two names. */
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

  /** Adds all text of a delta or of a complete answer. */
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

/** The tokens of a complete answer. */
export function outputTokensIn(answer: unknown): number {
  const written = new OutputText()
  written.add(answer)
  return written.texts.reduce((sum, text) => sum + countTokens(text), 0)
}
