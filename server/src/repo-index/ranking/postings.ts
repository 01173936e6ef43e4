// An inverted index in memory for BM25 ranking. Texts are added and removed one by one.

import { copyString } from './tokenize.ts'
import { createTopK, type ScoredItem } from './top-k.ts'

/** The weighted term counts of a text, and its length. */
export type TermCounts = {
  readonly counts: Iterable<readonly [term: string, weight: number]>
  readonly length: number
}

export type Postings = {
  /** The caller chooses the number. A used number needs `remove` before it can be added again. */
  add(at: number, text: TermCounts): void
  remove(at: number): void
  search(query: QueryTerms, most: number, isAllowed?: (at: number) => boolean): ScoredItem[]
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
export const TEXTS_MAX = 2 ** (32 - WEIGHT_BITS)

type List = { items: Uint32Array; size: number }
/** Most terms occur in one text only. For them a plain number saves the memory of a list. */
type Entry = number | List

export function createPostings(): Postings {
  const lists = new Map<string, Entry>()
  let lengths = new Uint32Array(1024)
  let scores = new Float32Array(1024)
  let texts = 0
  let totalLength = 0
  let bytes = 0

  function reserve(at: number): void {
    if (at < lengths.length) return
    const size = Math.max(at + 1, lengths.length * 2)
    lengths = grow(lengths, size)
    scores = new Float32Array(size)
  }

  function append(term: string, item: number): void {
    const before = lists.get(term)
    if (before === undefined) {
      lists.set(copyString(term), item)
      bytes += TERM_BYTES + term.length
      return
    }
    const list = typeof before === 'number' ? listOf(before) : before
    if (list !== before) {
      lists.set(term, list)
      bytes += LIST_BYTES
    }
    if (list.size === list.items.length) {
      bytes += 4 * list.size
      list.items = grow(list.items, list.size * 2)
    }
    list.items[list.size++] = item
  }

  /** Counts the texts that were not removed. */
  function textsWith({ items, size }: List): number {
    let count = 0
    for (let i = 0; i < size; i++) if ((lengths[(items[i] ?? 0) >>> WEIGHT_BITS] ?? 0) > 0) count += 1
    return count
  }

  /** The most significant terms of a long query. */
  function rarestTerms(query: QueryTerms): { list: List; rarity: number }[] {
    const found: { list: List; rarity: number }[] = []
    for (const [term, queryWeight] of query) {
      const entry = lists.get(term)
      const list = typeof entry === 'number' ? listOf(entry) : entry
      const documentFrequency = list ? textsWith(list) : 0
      if (list && documentFrequency > 0)
        found.push({ list, rarity: queryWeight * inverseDocumentFrequency(documentFrequency, texts) })
    }
    return found.sort((a, b) => b.rarity - a.rarity).slice(0, QUERY_TERMS_MAX)
  }

  return {
    get bytes() {
      return bytes + 8 * lengths.length
    },

    add(at, { counts, length }) {
      reserve(at)
      for (const [term, weight] of counts)
        append(term, at * (WEIGHT_MAX + 1) + Math.max(1, Math.min(WEIGHT_MAX, Math.round(weight))))
      // The length is at least 1, because 0 marks a removed text.
      lengths[at] = Math.max(1, length)
      texts += 1
      totalLength += Math.max(1, length)
    },

    remove(at) {
      const length = lengths[at] ?? 0
      if (length === 0) return
      lengths[at] = 0
      texts -= 1
      totalLength -= length
    },

    search(query, most, isAllowed) {
      const average = texts === 0 ? 1 : totalLength / texts
      const touched: number[] = []
      for (const { list, rarity } of rarestTerms(query)) {
        for (let i = 0; i < list.size; i++) {
          const item = list.items[i] ?? 0
          const at = item >>> WEIGHT_BITS
          const length = lengths[at] ?? 0
          if (length === 0) continue
          const before = scores[at] ?? 0
          if (before === 0) touched.push(at)
          scores[at] = before + rarity * saturateFrequency(item & WEIGHT_MAX, length / average)
        }
      }
      const top = createTopK(most)
      for (const at of touched) {
        if (!isAllowed || isAllowed(at)) top.offer(at, scores[at] ?? 0)
        scores[at] = 0
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

// Estimated memory of a term without its name, and of a list without its items.
const TERM_BYTES = 110
const LIST_BYTES = 220

function listOf(item: number): List {
  const items = new Uint32Array(4)
  items[0] = item
  return { items, size: 1 }
}

function grow(from: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(size)
  to.set(from)
  return to
}
