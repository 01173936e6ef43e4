// Limits the output of a model to little more than the requested maximum, without trusting its reported usage.
import { LimitReached } from '../http/deadlines.ts'
import { countTokens } from '../tokens/count-tokens.ts'

/** Ordinary text has fewer characters per token. Below this nothing is counted. */
const CHARACTERS_PER_TOKEN = 6
/** Almost no text has more, not even indentation. */
const CHARACTERS_PER_TOKEN_MAX = 64
const CHARACTERS_BEYOND = 64 * 1024
/** Other tokenizers produce fewer tokens than ours, but at most by this factor. */
const COUNT_FACTOR = 1.5
const TOKENS_BEYOND = 64
const RECOUNT_FACTOR = 1.25

/** Ends an answer that exceeds its limit. It counts tokens rarely, and never for an answer of ordinary length. */
export class OutputLimit {
  readonly #ceiling: number
  #countAt: number

  constructor(ceiling: number) {
    this.#ceiling = ceiling
    this.#countAt = ceiling * CHARACTERS_PER_TOKEN + TOKENS_BEYOND
  }

  /** Throws `LimitReached` when the text so far is far above the limit. */
  check(characters: number, textSoFar: () => string): void {
    if (characters <= this.#countAt) return
    const isLong =
      characters > this.#ceiling * CHARACTERS_PER_TOKEN_MAX + CHARACTERS_BEYOND ||
      countTokens(textSoFar()) > this.#ceiling * COUNT_FACTOR + TOKENS_BEYOND
    if (isLong) throw new LimitReached('failed', 'the upstream exceeded the requested output limit')
    this.#countAt = characters * RECOUNT_FACTOR
  }
}
