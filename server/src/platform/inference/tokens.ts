// How many tokens a text has: an estimate that is not too low before the work, a real count where nobody else counted.
import { createRequire } from 'node:module'
import type * as Tokenizer from 'gpt-tokenizer/encoding/o200k_base'
import type { Message } from './question.ts'
import { tokensAtMost } from './token-bound.ts'

/** Each message costs a few tokens of its own. */
const PER_MESSAGE = 8
/** How far above the true count the bound lies for ordinary text, at the very most. */
const BOUND_OVER_COUNT = 2.5
const CHARACTERS_COUNTED_MAX = 1_000_000
const SAMPLES = 10

/** As a tokenizer counts. A text of more than a million characters is counted by samples. */
export function countTokens(text: string): number {
  if (text.length <= CHARACTERS_COUNTED_MAX) return countAll(text)
  const size = CHARACTERS_COUNTED_MAX / SAMPLES
  let sum = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const start = Math.floor(((text.length - size) * sample) / (SAMPLES - 1))
    sum += countAll(text.slice(start, start + size))
  }
  return Math.ceil((sum * text.length) / CHARACTERS_COUNTED_MAX)
}

/** A count of a whole prompt, for settling. */
export const promptTokensOf = (messages: readonly Message[]): number => sumOf(messages, countTokens)

/** What a prompt has at most: cheap, and what a worst case is reserved by. */
export const promptTokensAtMost = (messages: readonly Message[]): number => sumOf(messages, tokensAtMost)

/** The same for any text, such as a whole request in JSON. */
export const promptTokensAtMostOf = (text: string): number => tokensAtMost(text) + PER_MESSAGE

/** What a prompt has at least, for whoever asks what it might cost. As cheap. */
export const promptTokensAtLeast = (messages: readonly Message[]): number =>
  sumOf(messages, (text) => Math.floor(tokensAtMost(text) / BOUND_OVER_COUNT))

const sumOf = (messages: readonly Message[], count: (text: string) => number): number =>
  messages.reduce((sum, { content }) => sum + count(content) + PER_MESSAGE, 0)

// The tokenizer takes time by the square of a run without a border, so long runs are given one. It may cost a token each.
const RUN_MAX = 100
/** What looks like a mark of the tokenizer itself is text like any other. */
const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

function countAll(text: string): number {
  const { countTokens: count } = tokenizer()
  let sum = 0
  let start = 0
  let run = 0
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSpace = code <= 32
    run = isSpace === wasSpace ? run + 1 : 1
    wasSpace = isSpace
    // Not inside a character, unless it is only the first half over and over.
    if (run < RUN_MAX || (run === RUN_MAX && isFirstHalf(code))) continue
    sum += count(text.slice(start, at + 1), PLAIN)
    start = at + 1
    run = 0
  }
  return sum + count(text.slice(start), PLAIN)
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00

let loaded: typeof Tokenizer | undefined
// Loaded when first needed and not before: it takes a quarter of a second and 80 MB, and most calls are counted upstream.
function tokenizer(): typeof Tokenizer {
  loaded ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as typeof Tokenizer
  return loaded
}
