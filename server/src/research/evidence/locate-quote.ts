// Locates a quote in the stored text of a page. The result is the wording of the page, never that of the model.

import type { TextSpan } from '../reading/sentences.ts'
import { type Alignment, align } from './alignment.ts'
import { type TextToken, tokensOf } from './tokens.ts'
import { isNegation, isSignificant } from './word-lists.ts'

/** An indexed text. Built once and searched many times. */
export type TextIndex = {
  readonly text: string
  readonly tokens: readonly TextToken[]
  readonly ids: Int32Array
  readonly idOf: ReadonlyMap<string, number>
  /** Start indexes of each trigram. */
  readonly places: ReadonlyMap<number, readonly number[]>
}

const QUOTE_MIN = 12
const QUOTE_MAX = 400
const WORDS_MIN = 3
const GLYPHS_MIN = 8
/** Text after this is not searched. Stored pages are shorter. */
const TEXT_MAX = 250_000
/** For frequent trigrams only the first occurrences are indexed. */
const PLACES_MAX = 64
const ALIGNED_MIN = 0.92
/** One changed word breaks at most three trigrams. Below this share, too many words differ. */
const TRIGRAM_SHARE_MIN = 0.58
const CANDIDATES_MAX = 3
const SEGMENTS_MAX = 6
/** The largest gap at an ellipsis, and the longest range of a quote with ellipses. */
const GAP_MAX = 600
const SPAN_MAX = 1500

/** An ellipsis over this few words must not hide a negation. */
const OMITTED_NEGATION_WORDS = 3

/** Whether a quote is long enough to be evidence and short enough to be a quote. */
export function isQuotable(quote: string): boolean {
  const tokens = tokensOf(quote.slice(0, QUOTE_MAX + 1))
  const glyphs = tokens.filter(({ kind }) => kind === 'glyph').length
  const words = tokens.filter(({ kind }) => kind === 'word' || kind === 'number').length
  const isLong = glyphs >= GLYPHS_MIN || (words + glyphs / 3 >= WORDS_MIN && quote.trim().length >= QUOTE_MIN)
  return isLong && quote.trim().length <= QUOTE_MAX
}

/** Indexes a text for `locateQuote`. */
export function indexText(text: string): TextIndex {
  const tokens = tokensOf(text.slice(0, TEXT_MAX))
  const idOf = new Map<string, number>()
  const ids = Int32Array.from(tokens, ({ norm }) => {
    const id = idOf.get(norm) ?? idOf.size
    idOf.set(norm, id)
    return id
  })
  const places = new Map<number, number[]>()
  for (let at = 0; at + 2 < ids.length; at++) {
    const key = toTrigramKey(ids, at)
    const known = places.get(key)
    if (!known) places.set(key, [at])
    else if (known.length < PLACES_MAX) known.push(at)
  }
  return { text, tokens, ids, idOf, places }
}

/**
 * Locates a quote in a text: word for word, with ellipses between near segments, or with a few changed words. A
 * changed word is never a number, a name, a negation or a degree. Null if the quote is not found.
 */
export function locateQuote(text: string | TextIndex, quote: string): TextSpan | null {
  if (!isQuotable(quote)) return null
  const index = typeof text === 'string' ? indexText(text) : text
  const sought = tokenizeQuote(index, quote)
  for (const look of [findExact, findSegments, findAligned]) {
    const range = look(index, sought).find((each) => !omitsNegation(index, each))
    if (range) return toSpan(index, range, quote)
  }
  return null
}

/** First and last token index in the text. */
type TokenRange = { readonly first: number; readonly last: number }
/** The tokens of a quote with their ids in the text index; -1 for unknown words. */
type QuoteTokens = { readonly quote: string; readonly tokens: readonly TextToken[]; readonly ids: Int32Array }

function tokenizeQuote(index: TextIndex, quote: string): QuoteTokens {
  const tokens = tokensOf(quote)
  return { quote, tokens, ids: Int32Array.from(tokens, ({ norm }) => index.idOf.get(norm) ?? -1) }
}

/** A quote that starts right after a "not" or ends right before one reverses the meaning. */
function omitsNegation({ text, tokens }: TextIndex, { first, last }: TokenRange): boolean {
  const [before, start] = [tokens[first - 1], tokens[first]]
  const [end, after] = [tokens[last], tokens[last + 1]]
  const isJoined = (one: TextToken, other: TextToken) =>
    !/[.,;:!?。！？؟،\n]/.test(text.slice(one.end, other.start))
  return (
    (before !== undefined && start !== undefined && isNegation(before) && isJoined(before, start)) ||
    (after !== undefined && end !== undefined && isNegation(after) && isJoined(end, after))
  )
}

/**
 * From the first to the last token, with the signs at its edges that belong to a fact or that the quote has too.
 * Includes the end mark of the sentence if the quote has one.
 */
function toSpan({ text, tokens }: TextIndex, { first, last }: TokenRange, quote: string): TextSpan {
  const own = tokensOf(quote)
  const [start, end] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0]
  const before = text.slice(tokens[first - 1]?.end ?? 0, start)
  const after = text.slice(end, tokens[last + 1]?.start)
  const saidBefore = quote.slice(0, own[0]?.start).trimStart()
  const saidAfter = quote.slice(own.at(-1)?.end).trimEnd()
  const isFigure = (token: TextToken | undefined) => token?.kind === 'number'
  const lead = (isFigure(tokens[first]) ? /[*#+]{1,3}$/ : /(?:--|[@#$])$/).exec(before)?.[0].length ?? 0
  const tail = (isFigure(tokens[last]) ? /^(?:[*#]*#|\+|\/[=-])/ : /^(?:#|\+\+)/).exec(after)?.[0].length ?? 0
  const led = before.slice(before.length - commonEnd(before, saidBefore)).trimStart()
  const tailed = after.slice(0, commonStart(after, saidAfter.replace(/[.!?。！？؟]+$/, ''))).trimEnd()
  const stop = end + Math.max(tail, tailed.length)
  const isClosed = /[.!?。！？؟]["'”’»)]{0,2}$/.test(quote.trim()) && /[.!?。！？؟]/.test(text.charAt(stop))
  return { start: start - Math.max(lead, led.length), end: isClosed ? stop + 1 : stop }
}

/** How many characters both texts share at their start. */
function commonStart(one: string, other: string): number {
  let length = 0
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length += 1
  return length
}

const commonEnd = (one: string, other: string): number =>
  commonStart([...one].reverse().join(''), [...other].reverse().join(''))

const toTrigramKey = (ids: Int32Array, at: number): number =>
  ((ids[at] ?? 0) * 2 ** 17 + (ids[at + 1] ?? 0)) * 2 ** 17 + (ids[at + 2] ?? 0)

/** Finds exact occurrences, starting at the rarest trigram of the quote. */
function findExact(index: TextIndex, { ids }: QuoteTokens): TokenRange[] {
  if (ids.length < 3 || ids.includes(-1)) return []
  const found = findTrigrams(index, ids)
  const [rarest] = found.toSorted((one, other) => one.places.length - other.places.length)
  if (!rarest || found.length < ids.length - 2) return []
  return rarest.places
    .map((place) => place - rarest.at)
    .filter((first) => first >= 0 && ids.every((id, i) => id === index.ids[first + i]))
    .map((first) => ({ first, last: first + ids.length - 1 }))
}

type Trigram = { readonly at: number; readonly places: readonly number[] }

/** The trigrams of the quote that occur in the text, with their positions. */
function findTrigrams(index: TextIndex, ids: Int32Array): Trigram[] {
  return Array.from({ length: Math.max(0, ids.length - 2) }, (_, at) => at).flatMap((at) => {
    if ((ids[at] ?? -1) < 0 || (ids[at + 1] ?? -1) < 0 || (ids[at + 2] ?? -1) < 0) return []
    const places = index.places.get(toTrigramKey(ids, at))
    return places ? [{ at, places }] : []
  })
}

function findAligned(index: TextIndex, sought: QuoteTokens): TokenRange[] {
  const { ids } = sought
  // In a shorter quote a single changed word already exceeds the tolerance.
  if (ids.length < 1 / (1 - ALIGNED_MIN)) return []
  const found = findTrigrams(index, ids)
  if (found.length < ids.length * TRIGRAM_SHARE_MIN - 4) return []
  const slack = Math.ceil(ids.length * (1 - ALIGNED_MIN)) + 2
  return findDiagonals(found).flatMap((diagonal) => {
    const from = Math.max(0, diagonal - slack)
    const to = Math.min(index.ids.length, diagonal + BUCKET + ids.length + slack)
    const laid = align(ids, index.ids, from, to)
    return laid && isFaithfulAlignment(index, sought, laid) ? [{ first: laid.first, last: laid.last }] : []
  })
}

const BUCKET = 8

/** The diagonals with the most matching trigrams. */
function findDiagonals(found: readonly Trigram[]): number[] {
  const votes = new Map<number, number>()
  for (const { at, places } of found)
    for (const place of places) {
      const bucket = Math.floor((place - at) / BUCKET)
      votes.set(bucket, (votes.get(bucket) ?? 0) + 1)
    }
  return Array.from(votes)
    .sort(([place, one], [otherPlace, other]) => other - one || place - otherPlace)
    .slice(0, CANDIDATES_MAX)
    .map(([bucket]) => bucket * BUCKET)
}

function isFaithfulAlignment(index: TextIndex, { quote, tokens }: QuoteTokens, found: Alignment): boolean {
  // At an edge it is unknown which word was replaced.
  if (found.extraInQuote.includes(0) || found.extraInQuote.includes(tokens.length - 1)) return false
  const covered = found.last - found.first + 1
  if (found.matched / Math.max(tokens.length, covered) < ALIGNED_MIN) return false
  const left = [
    ...found.extraInQuote.map((at) => ({ token: tokens[at], from: quote })),
    ...found.extraInText.map((at) => ({ token: index.tokens[at], from: index.text })),
  ]
  return left.every(({ token, from }) => {
    const isName = /^\p{Lu}/u.test(from.slice(token?.start, token?.end))
    return token !== undefined && !isSignificant(token) && !isName
  })
}

const ELLIPSIS = /\[\s?(?:\.{3,6}|…)\s?\]|\(\s?(?:\.{3,6}|…)\s?\)|\.{3,6}|…|\. \. \./g

function findSegments(index: TextIndex, { quote }: QuoteTokens): TokenRange[] {
  const segments = splitAtEllipses(quote).map((text) => tokenizeQuote(index, text))
  if (quote.search(ELLIPSIS) < 0 || segments.length > SEGMENTS_MAX) return []
  const [firsts = [], ...rest] = segments.map((segment) => {
    const exact = findExact(index, segment)
    return exact.length > 0 ? exact : findAligned(index, segment)
  })
  return firsts.flatMap((first) => chainSegments(index, first, rest) ?? [])
}

/**
 * Splits a quote at its ellipses. A short segment joins its neighbour, because the text itself may contain the
 * ellipsis.
 */
function splitAtEllipses(quote: string): string[] {
  const isShort = (text: string) => tokensOf(text).length < WORDS_MIN
  const segments: string[] = []
  for (const part of quote.split(ELLIPSIS).filter((text) => tokensOf(text).length > 0)) {
    const last = segments.at(-1)
    if (last !== undefined && (isShort(last) || isShort(part)))
      segments[segments.length - 1] = `${last} ${part}`
    else segments.push(part)
  }
  return segments
}

/** Chains each segment to the nearest next one. Null if a gap is too long or hides a negation. */
function chainSegments(
  index: TextIndex,
  first: TokenRange,
  rest: readonly (readonly TokenRange[])[],
): TokenRange | null {
  const chain = rest.reduce<TokenRange | null>((so, ranges) => {
    const next = so && ranges.find((range) => range.first > so.last)
    return next && isNear(index, so.last, next.first) ? { first: so.first, last: next.last } : null
  }, first)
  const length = chain ? (index.tokens[chain.last]?.end ?? 0) - (index.tokens[chain.first]?.start ?? 0) : 0
  return length <= SPAN_MAX ? chain : null
}

function isNear({ text, tokens }: TextIndex, last: number, first: number): boolean {
  const gap = text.slice(tokens[last]?.end, tokens[first]?.start)
  if (gap.length > GAP_MAX && (gap.length > SPAN_MAX || /\n\s*\n/.test(gap))) return false
  return first - last - 1 > OMITTED_NEGATION_WORDS || !tokens.slice(last + 1, first).some(isNegation)
}
