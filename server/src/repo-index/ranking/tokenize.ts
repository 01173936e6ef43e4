// Splits text into search terms: words inside identifiers, lightly stemmed, without stop words.

const TEXT_CHARACTERS_MAX = 200_000
const WORD_CHARACTERS_MAX = 60
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu
/** The same for ASCII text, and much faster. */
const ASCII_WORD = /[a-zA-Z0-9_$]+/g
const ASCII = /^[\x00-\x7f]*$/
/** The parts of an identifier: fooBar, HTTPServer, utf8, snake_case. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{M}]+/gu

/** The terms of a text in order. An identifier of several words gives its words and itself. */
export function tokenize(text: string): string[] {
  const found: string[] = []
  const part = text.slice(0, TEXT_CHARACTERS_MAX)
  for (const word of part.match(ASCII.test(part) ? ASCII_WORD : WORD) ?? [])
    for (const term of termsOf(word)) found.push(term)
  return found
}

/** Counts each term. */
export function countTerms(
  text: string,
  counts = new Map<string, number>(),
  weight = 1,
): Map<string, number> {
  for (const term of tokenize(text)) counts.set(term, (counts.get(term) ?? 0) + weight)
  return counts
}

// A few thousand words make up most of any repository.
const TERM_CACHE_MAX = 20_000
const termCache = new Map<string, readonly string[]>()

function termsOf(word: string): readonly string[] {
  const before = termCache.get(word)
  if (before) return before
  const terms = split(word.slice(0, WORD_CHARACTERS_MAX))
  // Long words rarely repeat.
  if (word.length > WORD_CHARACTERS_MAX) return terms
  if (termCache.size >= TERM_CACHE_MAX) termCache.clear()
  termCache.set(copyString(word), terms)
  return terms
}

/** Copies a substring, because V8 keeps the whole original text in memory for a slice. */
export const copyString = (part: string): string => Buffer.from(part).toString()

function split(word: string): string[] {
  const parts = (word.match(PART) ?? []).map((part) => part.toLowerCase())
  const terms = parts.filter((part) => part.length > 1 && !STOP_WORDS.has(part)).map(stemOf)
  // The joined form is the same for parse_body, parseBody and ParseBody.
  return parts.length > 1 ? [...terms, parts.join('')] : terms
}

/**
 * Removes English endings, so that «parses», «parsing», «parsed», «parser» and «parse» give the same stem. The stem need not be
 * a word.
 */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const single = withoutPlural(word)
  const bare = withoutEnding(single)
  return bare.length > 4 && bare.endsWith('e') ? bare.slice(0, -1) : bare
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

const STEM_MIN = 4

function withoutEnding(word: string): string {
  for (const ending of ['ing', 'ed', 'er', 'or']) {
    if (!word.endsWith(ending)) continue
    const stem = withoutDoubledLetter(word.slice(0, -ending.length))
    return stem.length >= STEM_MIN && /[aeiouy]/.test(stem) ? stem : word
  }
  return /[ts]ion$/.test(word) && word.length - 3 >= STEM_MIN ? word.slice(0, -3) : word
}

/** «running» has the stem «run». */
const withoutDoubledLetter = (stem: string): string =>
  /([bdfgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem

const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or ' +
    'our should so such than that the their them then there these they this to us use used uses using was we were what when where ' +
    'which who why will with would you your'
  ).split(' '),
)
