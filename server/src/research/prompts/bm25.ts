// Keywords in any language, and BM25 scores of texts.

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts without spaces: Thai, Lao, kana, Han. Pairs of characters stand for words. */
const UNSPACED_SCRIPT = /^[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/

const STOP_WORDS = new Set(
  (
    'a about after all also an and any are as at be been between but by can could did do does for from had has have how ' +
    'if in into is it its more most much many no not of on or our over should so some such than that the their them then ' +
    'there these they this those to under up was we were what when where which while who whom whose why will with would ' +
    'you your au aux avec ce ces dans de des du elle en est et il la le les leur ne ou par pas pour que qui quel quelle ' +
    'sont sur un une com como da das do dos em na no os para por que se uma el los las del una y es ' +
    'der die das und ist von mit ein eine den dem wie was kwa na ya wa ni la katika في من على إلى عن ما هل هو هي'
  ).split(' '),
)

/** All words in lower case, in order. */
export function splitWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? []
  return words.some(isUnspaced)
    ? words.flatMap((word) => (isUnspaced(word) ? toCharacterPairs(word) : word))
    : words
}

/** The distinct significant words of a text, stemmed. */
export const termsOf = (text: string): Set<string> =>
  new Set(splitWords(text).filter(isSignificant).map(stem))

/** The distinct significant words of a text as written, in order. */
export function listKeywords(text: string, most: number): string[] {
  const seen = new Set<string>()
  const words = (text.match(/[\p{L}\p{M}\p{N}]+(?:[-.'’][\p{L}\p{M}\p{N}]+)*/gu) ?? []).filter((word) => {
    const key = word.toLowerCase()
    if (!isSignificant(key) || seen.has(key)) return false
    seen.add(key)
    return true
  })
  return words.slice(0, most)
}

/** How many of the terms occur in a text. */
export function countSharedTerms(terms: ReadonlySet<string>, text: string): number {
  let shared = 0
  for (const term of termsOf(text)) if (terms.has(term)) shared++
  return shared
}

// The usual BM25 constants: saturation of repeated words, and the penalty for long texts.
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** BM25 of each text for each set of terms: `scores[query][text]`. */
export function bm25Scores(
  texts: readonly string[],
  queries: readonly ReadonlySet<string>[],
): readonly Float64Array[] {
  const terms = [...new Set(queries.flatMap((query) => [...query]))]
  const { counts, lengths } = countTerms(texts, terms)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)
  const rarity = terms.map((_, term) => {
    const having = counts.reduce((sum, count) => sum + (count.has(term) ? 1 : 0), 0)
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
  })
  return queries.map((query) => {
    const scores = new Float64Array(texts.length)
    counts.forEach((count, at) => {
      const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (lengths[at] ?? 0)) / Math.max(1, mean)
      for (const [term, times] of count) {
        if (!query.has(terms[term] ?? '')) continue
        const weight = (times * (SATURATION + 1)) / (times + SATURATION * length)
        scores[at] = (scores[at] ?? 0) + (rarity[term] ?? 0) * weight
      }
    })
    return scores
  })
}

type TermFrequencies = {
  readonly counts: readonly Map<number, number>[]
  readonly lengths: readonly number[]
}

/** Term frequencies of each text. Each distinct word is looked up once. */
function countTerms(texts: readonly string[], terms: readonly string[]): TermFrequencies {
  const numbers = new Map(terms.map((term, at) => [term, at]))
  const known = new Map<string, number>()
  const lengths: number[] = []
  const counts = texts.map((text) => {
    const count = new Map<number, number>()
    const words = splitWords(text)
    lengths.push(words.length)
    for (const word of words) {
      let term = known.get(word)
      if (term === undefined) {
        term = isSignificant(word) ? (numbers.get(stem(word)) ?? -1) : -1
        known.set(word, term)
      }
      if (term >= 0) count.set(term, (count.get(term) ?? 0) + 1)
    }
    return count
  })
  return { counts, lengths }
}

const isUnspaced = (word: string): boolean => word.charCodeAt(0) >= 0x0e00 && UNSPACED_SCRIPT.test(word)

function toCharacterPairs(word: string): string[] {
  const pairs: string[] = []
  for (let at = 0; at < word.length - 1; at++) pairs.push(word.slice(at, at + 2))
  return pairs.length === 0 ? [word] : pairs
}

const isSignificant = (word: string): boolean =>
  !STOP_WORDS.has(word) && (word.length > 1 || (word >= '0' && word <= '9') || isUnspaced(word))

/** Matches singular with plural, and the tenses of regular verbs. */
function stem(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.endsWith('ing') && word.length > 6) return word.slice(0, -3)
  if (word.endsWith('ed') && word.length > 5) return word.slice(0, -2)
  if (word.endsWith('es') && /(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
