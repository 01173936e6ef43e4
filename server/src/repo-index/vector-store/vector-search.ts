// Searches an index that is too large for memory with the approximate vector index of the database. Terms are searched in the
// content tables, and chunks without stored vectors are compared one by one, so that no committed chunk is missed.
import type { Tx } from '../../platform/db/tx.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import { fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { createTopK, type ScoredItem } from '../ranking/top-k.ts'
import type { RepoKey } from '../repo-key.ts'
import {
  asInt8,
  matchTerms,
  type Ranking,
  rankByTerms,
  type TermMatch,
  type TermRanking,
} from '../search/full-scan.ts'
import { batchFiles } from '../search/load-index.ts'
import type { IndexedChunk, SearchQuestion } from '../search/memory-index.ts'
import { type ChunkRef, type FileRow, listFilesAfter, readChunks } from '../search/read-sql.ts'
import { type ChunkHead, findChunksWithTerms, readChunkHeads, readTermTotals } from './content-sql.ts'
import { enqueueFill, startFill } from './fill-vectors.ts'
import * as sql from './vectors-sql.ts'

/** With more chunks without stored vectors, a full scan is used instead. */
const UNFILLED_CHUNKS_MAX = 20_000
/** Excluding more files would make the index search too slow. */
const EXCLUDED_FILES_MAX = 1_000
const TERM_CHUNKS_PER_BATCH = 20_000

type VectorQuestion = SearchQuestion & { readonly vector: Int8Array }

/** Undefined when the stored vectors are missing or incomplete. Then the caller needs a full scan. */
export async function searchNearest(
  tx: Tx,
  key: RepoKey,
  model: string,
  question: VectorQuestion,
): Promise<Ranking | undefined> {
  const space = { ...key, model, dims: question.vector.length }
  const filled = await sql.findFilledVersion(tx, space)
  const files = await listFilesAfter(tx, key, 0n)
  const unfilled = files.filter(({ version }) => version > (filled ?? 0n))
  if (unfilled.length > 0) await enqueueFill(tx, key.org, startFill(space, filled ?? 0n))
  if (filled === undefined || countChunks(unfilled) > UNFILLED_CHUNKS_MAX) return undefined

  const { isAllowed } = question
  const excluded = isAllowed ? files.filter(({ path }) => !isAllowed(path)) : []
  if (excluded.length > EXCLUDED_FILES_MAX) return undefined
  const numbers = numberChunks(files)
  const nearest = await findNearestChunks(
    tx,
    space,
    question.vector,
    excluded.map(({ id }) => id),
    numbers,
  )
  if (!nearest) return undefined

  const isExcluded = new Set(excluded)
  const compared = unfilled.filter((file) => !isExcluded.has(file))
  const unfilledScores = await compareFiles(tx, space, question.vector, compared, numbers)
  const byWords = await rankTerms(tx, key, question, files, numbers)
  const byMeaning = topScores([...nearest, ...unfilledScores])
  const ranking = fuse(byWords.items, byMeaning, question.vectorWeight)
  return { ranking, at: numbers.at, rarityOf: byWords.rarityOf, hasVectors: byMeaning.length > 0 }
}

/** Removes duplicates: a chunk that was just filled can be found both ways, with the same score. */
function topScores(scored: readonly ScoredItem[]): ScoredItem[] {
  const top = createTopK(RANKED_MAX)
  for (const [at, score] of new Map(scored.map((each) => [each.at, each.score]))) top.offer(at, score)
  return top.list()
}

const countChunks = (files: readonly FileRow[]): number => files.reduce((sum, { chunks }) => sum + chunks, 0)

type ChunkNumbers = {
  /** Undefined for a chunk that was removed since the files were read. */
  numberOf(place: ChunkRef): number | undefined
  register(head: ChunkHead): number | undefined
  at(number: number): IndexedChunk | undefined
}

/** Numbers the chunks as a full scan does, so that ties have the same order. */
function numberChunks(files: readonly FileRow[]): ChunkNumbers {
  const first = new Map<string, { file: FileRow; number: number }>()
  let next = 0
  for (const file of files) {
    first.set(file.id, { file, number: next })
    next += file.chunks
  }
  const known = new Map<number, IndexedChunk>()
  const numberOf = ({ fileId, ord }: ChunkRef) => {
    const found = first.get(fileId)
    return found && ord < found.file.chunks ? found.number + ord : undefined
  }
  return {
    numberOf,
    register({ fileId, ord, kind, symbol, startLine, endLine }) {
      const number = numberOf({ fileId, ord })
      const file = first.get(fileId)?.file
      if (number !== undefined && file) known.set(number, { file, ord, kind, symbol, startLine, endLine })
      return number
    },
    at: (number) => known.get(number),
  }
}

/** Undefined when the approximate search stopped before it found enough of the existing vectors. */
async function findNearestChunks(
  tx: Tx,
  space: sql.RepoVectorSpace,
  vector: Int8Array,
  excludedIds: readonly string[],
  numbers: ChunkNumbers,
): Promise<ScoredItem[] | undefined> {
  const found = await sql.findNearest(tx, space, vector, excludedIds, RANKED_MAX)
  if (
    found.length < RANKED_MAX &&
    found.length < (await sql.countVectors(tx, space, excludedIds, RANKED_MAX))
  )
    return undefined
  for (const head of await readChunkHeads(tx, space.org, found)) numbers.register(head)
  return found.flatMap((near) => {
    const at = numbers.numberOf(near)
    return at === undefined ? [] : { at, score: cosineOf(near.product) }
  })
}

async function compareFiles(
  tx: Tx,
  { org, model }: sql.VectorSpace,
  vector: Int8Array,
  files: readonly FileRow[],
  numbers: ChunkNumbers,
): Promise<ScoredItem[]> {
  const compared: ScoredItem[] = []
  for (const batch of batchFiles(files)) {
    const ids = batch.map(({ id }) => id)
    for (const chunk of await readChunks(tx, org, ids)) {
      const at = numbers.register(chunk)
      if (at !== undefined && chunk.model === model && chunk.embedding.length === vector.length)
        compared.push({ at, score: cosineOf(dot(vector, asInt8(chunk.embedding), 0)) })
    }
  }
  return compared
}

async function rankTerms(
  tx: Tx,
  key: RepoKey,
  { text, isAllowed }: SearchQuestion,
  files: readonly FileRow[],
  numbers: ChunkNumbers,
): Promise<TermRanking> {
  const terms = queryTerms(text)
  if (terms.size === 0) return { items: [], rarityOf: () => 0 }
  const matches: TermMatch[] = []
  for (const batch of batchFiles(files, TERM_CHUNKS_PER_BATCH)) {
    const allowed = new Set(batch.filter(({ path }) => isAllowed?.(path) ?? true).map(({ id }) => id))
    const ids = batch.map(({ id }) => id)
    for (const chunk of await findChunksWithTerms(tx, key.org, ids, [...terms.keys()])) {
      const at = allowed.has(chunk.fileId) ? numbers.register(chunk) : -1
      const match = at === undefined ? undefined : matchTerms(chunk, terms, at)
      if (match) matches.push(match)
    }
  }
  return rankByTerms(matches, terms, await readTermTotals(tx, key))
}
