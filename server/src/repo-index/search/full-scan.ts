// Searches an index that is too large for memory: reads and compares all chunks. Exact, but slower.
import type { Tx } from '../../platform/db/tx.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import { type FusedHit, fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { inverseDocumentFrequency, saturateFrequency } from '../ranking/postings.ts'
import { createTopK, type ScoredItem } from '../ranking/top-k.ts'
import type { RepoKey } from '../repo-key.ts'
import { batchFiles, groupByFile } from './load-index.ts'
import { type IndexedChunk, parseTerms, type SearchQuestion } from './memory-index.ts'
import { type ChunkRow, listFilesAfter, readChunks } from './read-sql.ts'

export type Ranking = {
  readonly ranking: readonly FusedHit[]
  at(place: number): IndexedChunk | undefined
  /** The weight of a query term; 0 if no chunk contains it. */
  rarityOf(term: string): number
  readonly hasVectors: boolean
  /** Undefined without a history, and for an index that is too large for memory. */
  readonly history?: RankedHistory | undefined
}

/** The files of similar commits, and their chunks. */
export type RankedHistory = {
  scoreFiles(query: string): ReadonlyMap<string, number>
  nearestChunk(path: string): number | undefined
}

export type TermRanking = { readonly items: ScoredItem[]; rarityOf(term: string): number }

/** A chunk with some of the terms. `at` is -1 for an excluded chunk, which still counts for term frequencies. */
export type TermMatch = {
  readonly at: number
  readonly length: number
  readonly weights: ReadonlyMap<string, number>
}

export async function fullScan(
  tx: Tx,
  key: RepoKey,
  model: string,
  question: SearchQuestion,
): Promise<Ranking> {
  const terms = queryTerms(question.text)
  const chunkList: IndexedChunk[] = []
  const matches: TermMatch[] = []
  const nearest = createTopK(RANKED_MAX)
  let [texts, totalLength, vectors] = [0, 0, 0]

  const compare = (chunk: ChunkRow, isAllowed: boolean, at: number) => {
    texts += 1
    totalLength += Math.max(1, chunk.length)
    const match = matchTerms(chunk, terms, isAllowed ? at : -1)
    if (match) matches.push(match)
    if (!isAllowed || chunk.model !== model) return
    vectors += 1
    if (question.vector?.length === chunk.embedding.length)
      nearest.offer(at, cosineOf(dot(question.vector, asInt8(chunk.embedding), 0)))
  }

  for (const files of batchFiles(await listFilesAfter(tx, key, 0n))) {
    const ids = files.map(({ id }) => id)
    const chunks = groupByFile(await readChunks(tx, key.org, ids))
    for (const file of files) {
      const isAllowed = question.isAllowed?.(file.path) ?? true
      for (const chunk of chunks.get(file.id) ?? []) {
        const { ord, kind, symbol, startLine, endLine } = chunk
        compare(chunk, isAllowed, chunkList.push({ file, ord, kind, symbol, startLine, endLine }) - 1)
      }
    }
  }
  const byWords = rankByTerms(matches, terms, { texts, length: totalLength })
  const ranking = fuse(byWords.items, nearest.list(), question.vector ? question.vectorWeight : 0)
  return {
    ranking,
    at: (place) => chunkList[place],
    rarityOf: byWords.rarityOf,
    hasVectors: vectors > 0,
  }
}

export const asInt8 = ({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array =>
  new Int8Array(buffer, byteOffset, byteLength)

export function matchTerms(
  chunk: Pick<ChunkRow, 'terms' | 'length'>,
  terms: ReadonlyMap<string, number>,
  at: number,
): TermMatch | undefined {
  const weights = new Map([...parseTerms(chunk).counts].filter(([term]) => terms.has(term)))
  return weights.size === 0 ? undefined : { at, length: Math.max(1, chunk.length), weights }
}

/** `all` describes all texts of the index, with and without matches. */
export function rankByTerms(
  matches: readonly TermMatch[],
  terms: ReadonlyMap<string, number>,
  all: { readonly texts: number; readonly length: number },
): TermRanking {
  const documentFrequency = new Map<string, number>()
  for (const { weights } of matches)
    for (const term of weights.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1)
  const rarityOf = (term: string): number => {
    const frequency = documentFrequency.get(term) ?? 0
    return frequency === 0 ? 0 : inverseDocumentFrequency(frequency, all.texts)
  }
  const top = createTopK(RANKED_MAX)
  const average = all.length / Math.max(1, all.texts)
  for (const { at, length, weights } of matches) {
    if (at === -1) continue
    let score = 0
    for (const [term, weight] of weights)
      score += (terms.get(term) ?? 0) * rarityOf(term) * saturateFrequency(weight, length / average)
    top.offer(at, score)
  }
  return { items: top.list(), rarityOf }
}
