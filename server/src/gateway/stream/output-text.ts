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

/** Pieces that are joined at once. Thousands of short strings in each open stream would take much memory. */
const JOINED_PIECES = 64

export class OutputText {
  #joined = ''
  #pieces: string[] = []
  #length = 0

  /** In characters. */
  get length(): number {
    return this.#length
  }

  get text(): string {
    this.#join()
    return this.#joined
  }

  /** Adds all text of a delta or of a complete answer. */
  add(piece: unknown): void {
    if (typeof piece === 'string') this.#add(piece)
    else addTexts(piece, (text) => this.#add(text))
  }

  tokens(): number {
    return countTokens(this.text)
  }

  #add(text: string): void {
    if (text === '') return
    this.#length += text.length
    if (this.#pieces.push(text) === JOINED_PIECES) this.#join()
  }

  #join(): void {
    this.#joined += this.#pieces.join('')
    this.#pieces = []
  }
}

/** The tokens of a complete answer, counted text by text. */
export function outputTokensIn(answer: unknown): number {
  let tokens = 0
  addTexts(answer, (text) => {
    tokens += countTokens(text)
  })
  return tokens
}

function addTexts(piece: unknown, add: (text: string) => void): void {
  if (typeof piece === 'string') {
    if (piece !== '') add(piece)
  } else if (Array.isArray(piece)) for (const each of piece) addTexts(each, add)
  else if (piece !== null && typeof piece === 'object') addFields(piece as Record<string, unknown>, add)
}

function addFields(fields: Record<string, unknown>, add: (text: string) => void): void {
  const thoughts = REASONING_FIELDS.find((name) => typeof fields[name] === 'string')
  for (const name of Object.keys(fields))
    if (TEXT_FIELDS.has(name) || name === thoughts) addTexts(fields[name], add)
}
