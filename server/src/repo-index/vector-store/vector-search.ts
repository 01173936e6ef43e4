// The way of an index that is too large for memory where the database has an approximate index: the nearest are asked for, words
// are looked for where they stand, and what is newer than the vectors is compared one by one. Nothing that is committed is missed.
import type { Tx } from '../../platform/db/tx.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import { fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { createTopK, type ScoredItem } from '../ranking/top-k.ts'
import type { RepoKey } from '../repo-key.ts'
import { asInt8, matchTerms, type Ranking, rankByTerms, type TermMatch } from '../search/full-scan.ts'
import { batchFiles } from '../search/load-index.ts'
import type { IndexedChunk, SearchQuestion } from '../search/memory-index.ts'
import { type ChunkRef, type FileRow, listFilesAfter, readChunks } from '../search/read-sql.ts'
import { type ChunkHead, findChunksWithTerms, readChunkHeads, readTermTotals } from './content-sql.ts'
import { enqueueFill, startFill } from './fill-vectors.ts'
import * as sql from './vectors-sql.ts'

/** More that is newer than the vectors is not compared one by one: then everything is. */
const UNFILLED_CHUNKS_MAX = 20_000
/** More files than these to leave out would stop the walk at every step. */
const EXCLUDED_FILES_MAX = 1_000
const TERM_CHUNKS_PER_BATCH = 20_000

type VectorQuestion = SearchQuestion & { readonly vector: Int8Array }

/** Undefined where the vectors are not there, not yet or not enough: then only comparing everything will do. */
export async function searchNearest(
  tx: Tx,
  key: RepoKey,
  model: string,
  question: VectorQuestion,
): Promise<Ranking | undefined> {
  const kind = { ...key, model, dims: question.vector.length }
  const filled = await sql.findFilledVersion(tx, kind)
  const files = await listFilesAfter(tx, key, 0n)
  const fresh = files.filter(({ version }) => version > (filled ?? 0n))
  if (fresh.length > 0) await enqueueFill(tx, key.org, startFill(kind, filled ?? 0n))
  if (filled === undefined || countChunks(fresh) > UNFILLED_CHUNKS_MAX) return undefined

  const { isAllowed } = question
  const leftOut = isAllowed ? files.filter(({ path }) => !isAllowed(path)) : []
  if (leftOut.length > EXCLUDED_FILES_MAX) return undefined
  const places = numberChunks(files)
  const nearest = await findNearestChunks(
    tx,
    kind,
    question.vector,
    leftOut.map(({ id }) => id),
    places,
  )
  if (!nearest) return undefined

  const isLeftOut = new Set(leftOut)
  const compared = fresh.filter((file) => !isLeftOut.has(file))
  const fresher = await compareFiles(tx, kind, question.vector, compared, places)
  const byWords = await rankTerms(tx, key, question, files, places)
  const byMeaning = topScores([...nearest, ...fresher])
  const ranking = fuse(byWords, byMeaning, question.vectorWeight)
  return { ranking, at: places.at, hasVectors: byMeaning.length > 0 }
}

/** What a pass has just brought is found both ways, with the same score. */
function topScores(scored: readonly ScoredItem[]): ScoredItem[] {
  const top = createTopK(RANKED_MAX)
  for (const [at, score] of new Map(scored.map((each) => [each.at, each.score]))) top.offer(at, score)
  return top.list()
}

const countChunks = (files: readonly FileRow[]): number => files.reduce((sum, { chunks }) => sum + chunks, 0)

type ChunkNumbers = {
  /** Undefined for what has gone since the files were read. */
  numberOf(place: ChunkRef): number | undefined
  note(head: ChunkHead): number | undefined
  at(number: number): IndexedChunk | undefined
}

/** The numbers that all chunks would have if they were read one after the other, so that equals stand as they do there. */
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
    note({ fileId, ord, kind, symbol, startLine, endLine }) {
      const number = numberOf({ fileId, ord })
      const file = first.get(fileId)?.file
      if (number !== undefined && file) known.set(number, { file, ord, kind, symbol, startLine, endLine })
      return number
    },
    at: (number) => known.get(number),
  }
}

/** Undefined when the walk was given up before it had found enough of those that there are. */
async function findNearestChunks(
  tx: Tx,
  kind: sql.RepoVectorSpace,
  vector: Int8Array,
  notIn: readonly string[],
  places: ChunkNumbers,
): Promise<ScoredItem[] | undefined> {
  const found = await sql.findNearest(tx, kind, vector, notIn, RANKED_MAX)
  if (found.length < RANKED_MAX && found.length < (await sql.countVectors(tx, kind, notIn, RANKED_MAX)))
    return undefined
  for (const head of await readChunkHeads(tx, kind.org, found)) places.note(head)
  return found.flatMap((near) => {
    const at = places.numberOf(near)
    return at === undefined ? [] : { at, score: cosineOf(near.product) }
  })
}

async function compareFiles(
  tx: Tx,
  { org, model }: sql.VectorSpace,
  vector: Int8Array,
  files: readonly FileRow[],
  places: ChunkNumbers,
): Promise<ScoredItem[]> {
  const compared: ScoredItem[] = []
  for (const some of batchFiles(files)) {
    const ids = some.map(({ id }) => id)
    for (const chunk of await readChunks(tx, org, ids)) {
      const at = places.note(chunk)
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
  places: ChunkNumbers,
): Promise<ScoredItem[]> {
  const terms = queryTerms(text)
  if (terms.size === 0) return []
  const matches: TermMatch[] = []
  for (const some of batchFiles(files, TERM_CHUNKS_PER_BATCH)) {
    const allowed = new Set(some.filter(({ path }) => isAllowed?.(path) ?? true).map(({ id }) => id))
    const ids = some.map(({ id }) => id)
    for (const chunk of await findChunksWithTerms(tx, key.org, ids, [...terms.keys()])) {
      const at = allowed.has(chunk.fileId) ? places.note(chunk) : -1
      const match = at === undefined ? undefined : matchTerms(chunk, terms, at)
      if (match) matches.push(match)
    }
  }
  return rankByTerms(matches, terms, await readTermTotals(tx, key))
}
