// Compares texts and names with the terms of one query. Candidates repeat words and paths, so each is compared once.
import { tokenize } from '../ranking/tokenize.ts'
import { isAbbreviation, isPart, sumOf } from './name-match.ts'
import type { QueryProfile } from './query-profile.ts'
import { areRelated } from './related-terms.ts'

/** 1 for each query term that was found. */
export type FoundTerms = Uint8Array

/** The shares of query terms, by rarity, that are not among some words but near one of them. */
export type NearShares = { readonly prefix: number; readonly related: number; readonly part: number }

export type TextMatch = {
  readonly found: FoundTerms
  /** The share of neighbouring query terms that are neighbours in the text too. */
  readonly pairs: number
  /** The number of terms in the text. */
  readonly length: number
}

export type TermMatcher = {
  find(terms: readonly string[]): FoundTerms
  findInPath(path: string): FoundTerms
  matchText(text: string): TextMatch
  /** The share of the query terms that one of the arguments has, by rarity. */
  coverage(...found: readonly FoundTerms[]): number
  nearShares(words: readonly string[]): NearShares
  /** The share of the words that are in the query, or near one of its terms. */
  nearPrecision(words: readonly string[]): number
}

// How a word compares with a query term.
const [SAME, ABBREVIATION, RELATED, PART] = [1, 2, 4, 8] as const
/** Of a word that is only near a word of the query. */
const NEAR = 0.7

export function createTermMatcher({ terms, rarities }: QueryProfile): TermMatcher {
  const positions = new Map(terms.map((term, i) => [term, i]))
  const total = Math.max(1e-9, sumOf(rarities))
  const paths = new Map<string, FoundTerms>()
  const comparisons = new Map<string, Uint8Array>()

  function find(some: readonly string[]): FoundTerms {
    const found = new Uint8Array(terms.length)
    for (const term of some) {
      const i = positions.get(term)
      if (i !== undefined) found[i] = 1
    }
    return found
  }

  function compare(word: string): Uint8Array {
    const before = comparisons.get(word)
    if (before) return before
    const compared = Uint8Array.from(
      terms,
      (term) =>
        (term === word ? SAME : 0) |
        (isAbbreviation(term, word) ? ABBREVIATION : 0) |
        (areRelated(term, word) ? RELATED : 0) |
        (isPart(term, word) ? PART : 0),
    )
    comparisons.set(word, compared)
    return compared
  }

  return {
    find,
    findInPath(path) {
      const found = paths.get(path) ?? find(tokenize(path))
      paths.set(path, found)
      return found
    },

    matchText(text) {
      const all = tokenize(text)
      const found = new Uint8Array(terms.length)
      const followed = new Uint8Array(terms.length)
      let before = -1
      for (const term of all) {
        const i = positions.get(term) ?? -1
        if (i >= 0) found[i] = 1
        if (i > 0 && before === i - 1) followed[i] = 1
        before = i
      }
      const pairs = terms.length < 2 ? 0 : sumOf([...followed]) / (terms.length - 1)
      return { found, pairs, length: all.length }
    },

    coverage(...found) {
      let weight = 0
      for (let i = 0; i < terms.length; i++)
        if (found.some((each) => each[i] === 1)) weight += rarities[i] ?? 0
      return weight / total
    },

    nearShares(words) {
      const compared = words.map(compare)
      const share = { prefix: 0, related: 0, part: 0 }
      for (let i = 0; i < terms.length; i++) {
        let near = 0
        for (const each of compared) near |= each[i] as number
        if (near === 0 || near & SAME) continue
        const weight = (rarities[i] ?? 0) / total
        if (near & ABBREVIATION) share.prefix += weight
        if (near & RELATED) share.related += weight
        if (near & PART) share.part += weight
      }
      return share
    },

    nearPrecision(words) {
      if (words.length === 0) return 0
      const scores = words.map((word) => {
        const compared = compare(word)
        if (positions.has(word)) return 1
        return compared.some((near) => (near & (ABBREVIATION | RELATED)) !== 0) ? NEAR : 0
      })
      return sumOf(scores) / words.length
    },
  }
}
