// An inverted index in memory for BM25 ranking. Texts are added and removed one by one.

import { createTermEntries, type PackedTerms } from './term-entries.ts'
import { hashTerm } from './term-hash.ts'
import { createTopK, type ScoredItem } from './top-k.ts'

/** The weighted term counts of a text, and its length. */
export type TermCounts = {
  readonly counts: Iterable<readonly [term: string, weight: number]>
  readonly length: number
}

export type Postings = {
  /** The caller chooses the number. A used number needs `remove` before it can be added again. */
  add(at: number, text: TermCounts): void
  /** Adds texts with consecutive numbers, as a pack has them. Their items count from 0. */
  addPacked(first: number, lengths: readonly number[], terms: PackedTerms): void
  remove(at: number): void
  search(query: QueryTerms, most: number, isAllowed?: (at: number) => boolean): ScoredItem[]
  /** The weight of a term; 0 if no text contains it. */
  rarityOf(term: string): number
  readonly bytes: number
}

export type QueryTerms = ReadonlyMap<string, number>

// Tuned with `npm run bench -- --only retrieval`. Field weights raise the counts, so saturation starts later than in prose.
const K1 = 2
const B = 0.75
export const QUERY_TERMS_MAX = 64
/** One integer packs the number of the text and the weight of the term. */
const WEIGHT_BITS = 10
const WEIGHT_MAX = 2 ** WEIGHT_BITS - 1

export const packItem = (at: number, weight: number): number => at * (WEIGHT_MAX + 1) + weight

/** A weight that fits into an item. */
export const itemWeight = (weight: number): number => Math.max(1, Math.min(WEIGHT_MAX, Math.round(weight)))

type QueriedList = { readonly items: Uint32Array; readonly rarity: number }

/** `expected`: the number of texts that will be added soon. */
export function createPostings(expected = 0): Postings {
  const entries = createTermEntries(expected)
  let lengths = new Uint32Array(1024)
  let scores = new Float32Array(1024)
  let touched = new Uint32Array(1024)
  let texts = 0
  let totalLength = 0
  let removed = 0

  function register(at: number, length: number): void {
    if (at >= lengths.length) {
      const size = Math.max(at + 1, lengths.length * 2)
      const more = new Uint32Array(size)
      more.set(lengths)
      lengths = more
      scores = new Float32Array(size)
      touched = new Uint32Array(size)
    }
    // The length is at least 1, because 0 marks a removed text.
    lengths[at] = Math.max(1, length)
    texts += 1
    totalLength += Math.max(1, length)
  }

  /** Counts the texts that were not removed. */
  function textsWith(items: Uint32Array): number {
    if (removed === 0) return items.length
    let count = 0
    for (let i = 0; i < items.length; i++)
      if ((lengths[(items[i] as number) >>> WEIGHT_BITS] as number) > 0) count += 1
    return count
  }

  /** The most significant terms of a long query. */
  function rarestTerms(query: QueryTerms): QueriedList[] {
    const found: QueriedList[] = []
    entries.collect([...query.keys()].map(hashTerm))
    for (const [term, queryWeight] of query) {
      const items = entries.listOf(hashTerm(term))
      const frequency = textsWith(items)
      if (frequency > 0)
        found.push({ items, rarity: queryWeight * inverseDocumentFrequency(frequency, texts) })
    }
    return found.sort((a, b) => b.rarity - a.rarity).slice(0, QUERY_TERMS_MAX)
  }

  return {
    get bytes() {
      return entries.bytes + 12 * lengths.length
    },

    add(at, { counts, length }) {
      for (const [term, weight] of counts) entries.append(hashTerm(term), packItem(at, itemWeight(weight)))
      register(at, length)
    },

    addPacked(first, all, terms) {
      entries.appendPacked(terms, packItem(first, 0))
      for (const [ord, length] of all.entries()) register(first + ord, length)
    },

    remove(at) {
      const length = lengths[at] ?? 0
      if (length === 0) return
      lengths[at] = 0
      texts -= 1
      totalLength -= length
      removed += 1
    },

    rarityOf(term) {
      const hash = hashTerm(term)
      entries.collect([hash])
      const frequency = textsWith(entries.listOf(hash))
      return frequency === 0 ? 0 : inverseDocumentFrequency(frequency, texts)
    },

    search(query, most, isAllowed) {
      const lengthShare = (K1 * B * texts) / Math.max(1, totalLength)
      let found = 0
      for (const { items, rarity } of rarestTerms(query)) {
        for (let i = 0; i < items.length; i++) {
          const item = items[i] as number
          const at = item >>> WEIGHT_BITS
          const length = lengths[at] as number
          if (length === 0) continue
          const before = scores[at] as number
          if (before === 0) touched[found++] = at
          const weight = item & WEIGHT_MAX
          scores[at] = before + (rarity * weight * (K1 + 1)) / (weight + K1 * (1 - B) + lengthShare * length)
        }
      }
      const top = createTopK(most)
      for (let i = 0; i < found; i++) {
        const at = touched[i] as number
        const score = scores[at] as number
        scores[at] = 0
        if (score >= top.threshold && (!isAllowed || isAllowed(at))) top.offer(at, score)
      }
      return top.list()
    },
  }
}

/** The weight of a term by the number of texts that contain it. */
export const inverseDocumentFrequency = (documentFrequency: number, texts: number): number =>
  Math.log(1 + (texts - documentFrequency + 0.5) / (documentFrequency + 0.5))

/** BM25 saturation: repeated terms count less and less, and less in long texts. */
export const saturateFrequency = (weight: number, relativeLength: number): number =>
  (weight * (K1 + 1)) / (weight + K1 * (1 - B + B * relativeLength))
