// The way of an index that is too large for memory where the database has an approximate index: the nearest are asked for, words
// are looked for where they stand, and what is newer than the vectors is compared one by one. Nothing that is committed is missed.
import type { Tx } from '../../platform/db/tx.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import { fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { createTop, type Scored } from '../ranking/top-k.ts'
import type { RepoKey } from '../repo-key.ts'
import { type Match, matchOf, rankedByWords, type Scanned, signed } from '../search/full-scan.ts'
import { batchesOf } from '../search/load-index.ts'
import type { Indexed, Question } from '../search/memory-index.ts'
import { comparedChunks, type FileRow, filesAfter, type Place } from '../search/read-sql.ts'
import { type ChunkHead, chunkHeads, chunksWithTerms, wordTotals } from './content-sql.ts'
import { askForFilling, beginning } from './fill-vectors.ts'
import * as sql from './vectors-sql.ts'

/** More that is newer than the vectors is not compared one by one: then everything is. */
const FRESH_CHUNKS_MAX = 20_000
/** More files than these to leave out would stop the walk at every step. */
const FILES_LEFT_OUT_MAX = 1_000
const CHUNKS_WITH_WORDS_AT_ONCE = 20_000

type Asked = Question & { readonly vector: Int8Array }

/** Undefined where the vectors are not there, not yet or not enough: then only comparing everything will do. */
export async function scanNearest(
  tx: Tx,
  key: RepoKey,
  model: string,
  question: Asked,
): Promise<Scanned | undefined> {
  const kind = { ...key, model, dims: question.vector.length }
  const filled = await sql.filledVersion(tx, kind)
  const files = await filesAfter(tx, key, 0n)
  const fresh = files.filter(({ version }) => version > (filled ?? 0n))
  if (fresh.length > 0) await askForFilling(tx, key.org, beginning(kind, filled ?? 0n))
  if (filled === undefined || chunksOf(fresh) > FRESH_CHUNKS_MAX) return undefined

  const { isAllowed } = question
  const leftOut = isAllowed ? files.filter(({ path }) => !isAllowed(path)) : []
  if (leftOut.length > FILES_LEFT_OUT_MAX) return undefined
  const places = numbered(files)
  const nearest = await nearestOf(
    tx,
    kind,
    question.vector,
    leftOut.map(({ id }) => id),
    places,
  )
  if (!nearest) return undefined

  const isLeftOut = new Set(leftOut)
  const compared = fresh.filter((file) => !isLeftOut.has(file))
  const fresher = await comparedOneByOne(tx, kind, question.vector, compared, places)
  const byWords = await wordsOf(tx, key, question, files, places)
  const byMeaning = best([...nearest, ...fresher])
  const ranking = fuse(byWords, byMeaning, question.vectorWeight)
  return { ranking, at: places.at, hasVectors: byMeaning.length > 0 }
}

/** What a pass has just brought is found both ways, with the same score. */
function best(scored: readonly Scored[]): Scored[] {
  const top = createTop(RANKED_MAX)
  for (const [at, score] of new Map(scored.map((each) => [each.at, each.score]))) top.offer(at, score)
  return top.list()
}

const chunksOf = (files: readonly FileRow[]): number => files.reduce((sum, { chunks }) => sum + chunks, 0)

type Places = {
  /** Undefined for what has gone since the files were read. */
  numberOf(place: Place): number | undefined
  note(head: ChunkHead): number | undefined
  at(number: number): Indexed | undefined
}

/** The numbers that all chunks would have if they were read one after the other, so that equals stand as they do there. */
function numbered(files: readonly FileRow[]): Places {
  const first = new Map<string, { file: FileRow; number: number }>()
  let next = 0
  for (const file of files) {
    first.set(file.id, { file, number: next })
    next += file.chunks
  }
  const known = new Map<number, Indexed>()
  const numberOf = ({ fileId, ord }: Place) => {
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
async function nearestOf(
  tx: Tx,
  kind: sql.RepoKind,
  vector: Int8Array,
  notIn: readonly string[],
  places: Places,
): Promise<Scored[] | undefined> {
  const found = await sql.nearest(tx, kind, vector, notIn, RANKED_MAX)
  if (found.length < RANKED_MAX && found.length < (await sql.vectorCount(tx, kind, notIn, RANKED_MAX)))
    return undefined
  for (const head of await chunkHeads(tx, kind.org, found)) places.note(head)
  return found.flatMap((near) => {
    const at = places.numberOf(near)
    return at === undefined ? [] : { at, score: cosineOf(near.product) }
  })
}

async function comparedOneByOne(
  tx: Tx,
  { org, model }: sql.Kind,
  vector: Int8Array,
  files: readonly FileRow[],
  places: Places,
): Promise<Scored[]> {
  const compared: Scored[] = []
  for (const some of batchesOf(files)) {
    const ids = some.map(({ id }) => id)
    for (const chunk of await comparedChunks(tx, org, ids)) {
      const at = places.note(chunk)
      if (at !== undefined && chunk.model === model && chunk.embedding.length === vector.length)
        compared.push({ at, score: cosineOf(dot(vector, signed(chunk.embedding), 0)) })
    }
  }
  return compared
}

async function wordsOf(
  tx: Tx,
  key: RepoKey,
  { text, isAllowed }: Question,
  files: readonly FileRow[],
  places: Places,
): Promise<Scored[]> {
  const terms = queryTerms(text)
  if (terms.size === 0) return []
  const matches: Match[] = []
  for (const some of batchesOf(files, CHUNKS_WITH_WORDS_AT_ONCE)) {
    const allowed = new Set(some.filter(({ path }) => isAllowed?.(path) ?? true).map(({ id }) => id))
    const ids = some.map(({ id }) => id)
    for (const chunk of await chunksWithTerms(tx, key.org, ids, [...terms.keys()])) {
      const at = allowed.has(chunk.fileId) ? places.note(chunk) : -1
      const match = at === undefined ? undefined : matchOf(chunk, terms, at)
      if (match) matches.push(match)
    }
  }
  return rankedByWords(matches, terms, await wordTotals(tx, key))
}
