// Counts tokens: a cheap upper estimate before the work, and a real count where the upstream reports none.
import { createRequire } from 'node:module'
import type * as Tokenizer from 'gpt-tokenizer/encoding/o200k_base'
import type { Message } from '../model-request.ts'
import { ENCODING_MODULE } from '../tokenizer-module.ts'
import { countByPieces } from './ascii-tokens.ts'
import { estimateMaxTokens } from './estimate-tokens.ts'

/** The overhead of a message. */
const PER_MESSAGE = 8
/** The largest ratio of the estimate to the true count, for ordinary text. */
const ESTIMATE_RATIO_MAX = 2.5
/**
 * Up to this many tokens are counted exactly. Counting takes up to four microseconds per token and blocks the event
 * loop.
 */
const EXACT_TOKENS_MAX = 8_000
const SAMPLES = 20
/** Longer texts are estimated from samples of this total length. */
const ESTIMATED_CHARACTERS = 400_000

/**
 * Counts with the tokenizer. A long text is estimated from samples, always the same for the same text. The result never
 * exceeds the upper estimate.
 */
export function countTokens(text: string): number {
  // No character is estimated at more than three tokens.
  if (text.length * 3 + 2 <= EXACT_TOKENS_MAX) return countExactly(text)
  const estimate = estimateLongText(text)
  return estimate <= EXACT_TOKENS_MAX
    ? countExactly(text)
    : Math.ceil(estimate * countToEstimateRatio(text, estimate))
}

/** Counts a whole prompt, for the settlement. Many messages take no longer than one long message. */
export function countPromptTokens(messages: readonly Message[]): number {
  const whole = messages.map(({ content }) => content).join('\n')
  if (estimateLongText(whole) <= EXACT_TOKENS_MAX) return sumOf(messages, countExactly)
  return countTokens(whole) + PER_MESSAGE * messages.length
}

/** The most tokens that a prompt can have. Cheap; holds are based on it. */
export const estimateMaxPromptTokens = (messages: readonly Message[]): number =>
  sumOf(messages, estimateMaxTokens)

/** The same for any text, such as a whole JSON request. */
export const estimateMaxTextTokens = (text: string): number => estimateMaxTokens(text) + PER_MESSAGE

/** The fewest tokens that a prompt can have, for quotes. Cheap. */
export const estimateMinPromptTokens = (messages: readonly Message[]): number =>
  sumOf(messages, (text) => Math.floor(estimateMaxTokens(text) / ESTIMATE_RATIO_MAX))

const sumOf = (messages: readonly Message[], count: (text: string) => number): number =>
  messages.reduce((sum, { content }) => sum + count(content) + PER_MESSAGE, 0)

function estimateLongText(text: string): number {
  if (text.length <= ESTIMATED_CHARACTERS) return estimateMaxTokens(text)
  const sum = sampleText(text, ESTIMATED_CHARACTERS).reduce(
    (tokens, piece) => tokens + estimateMaxTokens(piece),
    0,
  )
  return Math.ceil((sum * text.length) / ESTIMATED_CHARACTERS)
}

/** The ratio of the count to the estimate, from 0 to 1. */
function countToEstimateRatio(text: string, estimate: number): number {
  let counted = 0
  let estimated = 0
  for (const piece of sampleText(text, (text.length * EXACT_TOKENS_MAX) / estimate)) {
    // The samples may be denser than the text. Stop at the limit and use the samples so far.
    if (estimated > EXACT_TOKENS_MAX) break
    counted += countExactly(piece)
    estimated += estimateMaxTokens(piece)
  }
  return Math.min(1, counted / estimated)
}

/** Samples with this many characters in total, spread evenly over the text. */
function sampleText(text: string, characters: number): string[] {
  const size = Math.max(1, Math.floor(characters / SAMPLES))
  return Array.from({ length: SAMPLES }, (_, sample) => {
    const start = Math.floor(((text.length - size) * sample) / (SAMPLES - 1))
    return text.slice(start, start + size)
  })
}

// The tokenizer needs quadratic time for a long run without a boundary, so long runs are split. A split may add a token.
// 96 is a multiple of 3 and of 32, which fits groups of digits and common lengths of rules and indentation.
const RUN_MAX = 96
/** Special tokens of the tokenizer are counted as ordinary text. */
const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

function countExactly(text: string): number {
  let sum = 0
  let start = 0
  let run = 0
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSpace = code <= 32
    run = isSpace === wasSpace ? run + 1 : 1
    wasSpace = isSpace
    // Never splits a surrogate pair, except in a run of only high surrogates.
    if (run < RUN_MAX || (run === RUN_MAX && isHighSurrogate(code))) continue
    sum += countRun(text.slice(start, at + 1))
    start = at + 1
    run = 0
  }
  return sum + countRun(text.slice(start))
}

const countRun = (text: string): number => countByPieces(text, (part) => tokenizer().countTokens(part, PLAIN))

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

let loaded: typeof Tokenizer | undefined
// Loaded on first use: it takes a quarter of a second and 80 MB, and upstreams count most calls.
function tokenizer(): typeof Tokenizer {
  loaded ??= createRequire(import.meta.url)(ENCODING_MODULE) as typeof Tokenizer
  return loaded
}
