// The way of an index that is too large for memory: everything is read and compared for each search. As exact, and slower.
import type { Tx } from '../../platform/db/tx.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import { type Fused, fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { rarityOf, saturated } from '../ranking/postings.ts'
import { createTop, type Scored } from '../ranking/top-k.ts'
import type { RepoKey } from '../repo-key.ts'
import { batchesOf, byFile } from './load-index.ts'
import { countsOf, type Indexed, type Question } from './memory-index.ts'
import { type ChunkRow, comparedChunks, filesAfter } from './read-sql.ts'

export type Scanned = {
  readonly ranking: readonly Fused[]
  at(place: number): Indexed | undefined
  readonly hasVectors: boolean
}

/** A chunk that has some of the terms; -1 is the place of one that is not wanted, which says how rare they are all the same. */
export type Match = {
  readonly at: number
  readonly length: number
  readonly weights: ReadonlyMap<string, number>
}

export async function scan(tx: Tx, key: RepoKey, model: string, question: Question): Promise<Scanned> {
  const terms = queryTerms(question.text)
  const places: Indexed[] = []
  const matches: Match[] = []
  const nearest = createTop(RANKED_MAX)
  let [texts, totalLength, vectors] = [0, 0, 0]

  const compare = (chunk: ChunkRow, isAllowed: boolean, at: number) => {
    texts += 1
    totalLength += Math.max(1, chunk.length)
    const match = matchOf(chunk, terms, isAllowed ? at : -1)
    if (match) matches.push(match)
    if (!isAllowed || chunk.model !== model) return
    vectors += 1
    if (question.vector?.length === chunk.embedding.length)
      nearest.offer(at, cosineOf(dot(question.vector, signed(chunk.embedding), 0)))
  }

  for (const files of batchesOf(await filesAfter(tx, key, 0n))) {
    const ids = files.map(({ id }) => id)
    const chunks = byFile(await comparedChunks(tx, key.org, ids))
    for (const file of files) {
      const isAllowed = question.isAllowed?.(file.path) ?? true
      for (const chunk of chunks.get(file.id) ?? []) {
        const { ord, kind, symbol, startLine, endLine } = chunk
        compare(chunk, isAllowed, places.push({ file, ord, kind, symbol, startLine, endLine }) - 1)
      }
    }
  }
  const byWords = rankedByWords(matches, terms, { texts, length: totalLength })
  const ranking = fuse(byWords, nearest.list(), question.vector ? question.vectorWeight : 0)
  return { ranking, at: (place) => places[place], hasVectors: vectors > 0 }
}

export const signed = ({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array =>
  new Int8Array(buffer, byteOffset, byteLength)

export function matchOf(
  chunk: Pick<ChunkRow, 'terms' | 'length'>,
  terms: ReadonlyMap<string, number>,
  at: number,
): Match | undefined {
  const weights = new Map([...countsOf(chunk).counts].filter(([term]) => terms.has(term)))
  return weights.size === 0 ? undefined : { at, length: Math.max(1, chunk.length), weights }
}

/** `all` are all texts of the index, with and without matches. */
export function rankedByWords(
  matches: readonly Match[],
  terms: ReadonlyMap<string, number>,
  all: { readonly texts: number; readonly length: number },
): Scored[] {
  const having = new Map<string, number>()
  for (const { weights } of matches)
    for (const term of weights.keys()) having.set(term, (having.get(term) ?? 0) + 1)
  const top = createTop(RANKED_MAX)
  const average = all.length / Math.max(1, all.texts)
  for (const { at, length, weights } of matches) {
    if (at === -1) continue
    let score = 0
    for (const [term, weight] of weights)
      score +=
        (terms.get(term) ?? 0) *
        rarityOf(having.get(term) ?? 0, all.texts) *
        saturated(weight, length / average)
    top.offer(at, score)
  }
  return top.list()
}
