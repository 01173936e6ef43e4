// How many tokens a text has: an estimate that is not too low before the work, a real count where nobody else counted.
import { createRequire } from 'node:module'
import type * as Tokenizer from 'gpt-tokenizer/encoding/o200k_base'
import type { Message } from '../model-request.ts'
import { ENCODING_MODULE } from '../tokenizer-module.ts'
import { estimateMaxTokens } from './estimate-tokens.ts'

/** Each message costs a few tokens of its own. */
const PER_MESSAGE = 8
/** How far above the true count the bound lies for ordinary text, at the very most. */
const BOUND_OVER_COUNT = 2.5
/**
 * What is counted to the last token. It takes as long as there are tokens, up to four microseconds each, and all others
 * wait meanwhile.
 */
const COUNTED_TOKENS = 8_000
const SAMPLES = 20
/** The bound is looked for in so much of a text; the rest is taken to be like it. */
const BOUNDED_CHARACTERS = 400_000

/**
 * As a tokenizer counts. A long text is estimated: the same text always by the same samples, which say how far its count
 * lies below its bound, and never above that bound.
 */
export function countTokens(text: string): number {
  const atMost = estimateLongText(text)
  return atMost <= COUNTED_TOKENS
    ? countExactly(text)
    : Math.ceil(atMost * countToEstimateRatio(text, atMost))
}

/** A count of a whole prompt, for settling. Many messages take no longer than a long one. */
export function countPromptTokens(messages: readonly Message[]): number {
  const whole = messages.map(({ content }) => content).join('\n')
  if (estimateLongText(whole) <= COUNTED_TOKENS) return sumOf(messages, countExactly)
  return countTokens(whole) + PER_MESSAGE * messages.length
}

/** What a prompt has at most: cheap, and what a worst case is reserved by. */
export const estimateMaxPromptTokens = (messages: readonly Message[]): number =>
  sumOf(messages, estimateMaxTokens)

/** The same for any text, such as a whole request in JSON. */
export const estimateMaxTextTokens = (text: string): number => estimateMaxTokens(text) + PER_MESSAGE

/** What a prompt has at least, for whoever asks what it might cost. As cheap. */
export const estimateMinPromptTokens = (messages: readonly Message[]): number =>
  sumOf(messages, (text) => Math.floor(estimateMaxTokens(text) / BOUND_OVER_COUNT))

const sumOf = (messages: readonly Message[], count: (text: string) => number): number =>
  messages.reduce((sum, { content }) => sum + count(content) + PER_MESSAGE, 0)

function estimateLongText(text: string): number {
  if (text.length <= BOUNDED_CHARACTERS) return estimateMaxTokens(text)
  const sum = sampleText(text, BOUNDED_CHARACTERS).reduce(
    (tokens, piece) => tokens + estimateMaxTokens(piece),
    0,
  )
  return Math.ceil((sum * text.length) / BOUNDED_CHARACTERS)
}

/** From 0 to 1. */
function countToEstimateRatio(text: string, atMost: number): number {
  let counted = 0
  let bound = 0
  for (const piece of sampleText(text, (text.length * COUNTED_TOKENS) / atMost)) {
    // A text may be dense just where it is looked at. What has been seen by then has to do.
    if (bound > COUNTED_TOKENS) break
    counted += countExactly(piece)
    bound += estimateMaxTokens(piece)
  }
  return Math.min(1, counted / bound)
}

/** So many characters of a longer text, evenly from its beginning to its end. */
function sampleText(text: string, characters: number): string[] {
  const size = Math.max(1, Math.floor(characters / SAMPLES))
  return Array.from({ length: SAMPLES }, (_, sample) => {
    const start = Math.floor(((text.length - size) * sample) / (SAMPLES - 1))
    return text.slice(start, start + size)
  })
}

// The tokenizer takes time by the square of a run without a border, so long runs are given one. It may cost a token each;
// fewer where the border falls between the threes of digits and the powers of two of rules and indents.
const RUN_MAX = 96
/** What looks like a mark of the tokenizer itself is text like any other. */
const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

function countExactly(text: string): number {
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
// That happens once in the life of a process, and a process that never counts is spared it.
function tokenizer(): typeof Tokenizer {
  loaded ??= createRequire(import.meta.url)(ENCODING_MODULE) as typeof Tokenizer
  return loaded
}
