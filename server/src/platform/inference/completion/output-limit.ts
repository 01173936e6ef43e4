// How much a model may write: not far beyond what it was asked for, whatever it says about its own count.
import { LimitReached } from '../http/deadlines.ts'
import { countTokens } from '../tokens/count-tokens.ts'

/** Ordinary text has fewer characters per token: below this nothing is counted. */
const CHARACTERS_PER_TOKEN = 6
/** Hardly any text has so many, not even indentation. */
const CHARACTERS_PER_TOKEN_MAX = 64
const CHARACTERS_BEYOND = 64 * 1024
/** Other tokenizers make fewer tokens of the same text than ours, but not by more than this. */
const COUNT_FACTOR = 1.5
const TOKENS_BEYOND = 64
const RECOUNT_FACTOR = 1.25

/** Ends an answer that does not keep to its ceiling. It counts rarely, and never for an answer of ordinary length. */
export class OutputLimit {
  readonly #ceiling: number
  #countAt: number

  constructor(ceiling: number) {
    this.#ceiling = ceiling
    this.#countAt = ceiling * CHARACTERS_PER_TOKEN + TOKENS_BEYOND
  }

  /** Throws `BoundReached` when what was written so far is far more than the ceiling. */
  check(characters: number, textSoFar: () => string): void {
    if (characters <= this.#countAt) return
    const isLong =
      characters > this.#ceiling * CHARACTERS_PER_TOKEN_MAX + CHARACTERS_BEYOND ||
      countTokens(textSoFar()) > this.#ceiling * COUNT_FACTOR + TOKENS_BEYOND
    if (isLong) throw new LimitReached('failed', 'the upstream writes more than it was asked for')
    this.#countAt = characters * RECOUNT_FACTOR
  }
}
