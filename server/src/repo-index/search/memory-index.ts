// The index of one organisation in memory: which words stand where, and a vector for each chunk. Files come and go one by one.

import { cosineOf, dot } from '../embedding/vectors.ts'
import { type FusedHit, fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { createPostings, type TermCounts } from '../ranking/postings.ts'
import { createTopK, type ScoredItem } from '../ranking/top-k.ts'
import type { FileId } from '../sql.ts'
import type { ChunkRow, FileRow } from './read-sql.ts'

/** What is known of a chunk without reading its text. */
export type IndexedChunk = {
  readonly file: FileRow
  readonly ord: number
  readonly kind: string
  readonly symbol: string
  readonly startLine: number
  readonly endLine: number
}

export type SearchQuestion = {
  readonly text: string
  /** Null: by words alone. */
  readonly vector: Int8Array | null
  readonly vectorWeight: number
  readonly isAllowed?: ((path: string) => boolean) | undefined
}

export type MemoryIndex = {
  /** Of which model the vectors are. */
  readonly model: string
  /** The change that it is as new as. */
  version: bigint
  /** Those of one file may come one slice after the other. */
  addChunks(file: FileRow, chunks: readonly ChunkRow[]): void
  removeFile(id: FileId): void
  fileIds(): Iterable<FileId>
  at(place: number): IndexedChunk | undefined
  search(question: SearchQuestion): FusedHit[]
  readonly hasVectors: boolean
  readonly chunks: number
  /** Chunks that are gone and still take room. */
  readonly removedChunks: number
  readonly bytes: number
}

/** What they take beside words, names and vectors, about. */
const CHUNK_BYTES = 160
const FILE_BYTES = 400

/** No index of so many chunks takes less. */
export const minimumBytes = (chunks: number): number => chunks * CHUNK_BYTES

export function createMemoryIndex(model: string): MemoryIndex {
  const postings = createPostings()
  const files = new Map<FileId, number[]>()
  const places: (IndexedChunk | undefined)[] = []
  const matrix = createMatrix()
  let dead = 0
  let names = 0
  const kinds = new Map<string, string>()
  /** One text for all that are of a kind. */
  const kindOf = (kind: string): string => {
    const known = kinds.get(kind) ?? kind
    kinds.set(known, known)
    return known
  }

  return {
    model,
    version: 0n,
    get hasVectors() {
      return matrix.size > 0
    },
    get chunks() {
      return places.length - dead
    },
    get removedChunks() {
      return dead
    },
    get bytes() {
      return postings.bytes + matrix.bytes + places.length * CHUNK_BYTES + files.size * FILE_BYTES + names
    },
    fileIds: () => files.keys(),
    at: (place) => places[place],

    addChunks(file, chunks) {
      const own = files.get(file.id) ?? []
      if (own.length === 0) names += file.path.length
      files.set(file.id, own)
      for (const chunk of chunks) {
        const at = places.length
        const { ord, kind, symbol, startLine, endLine } = chunk
        places.push({ file, ord, kind: kindOf(kind), symbol, startLine, endLine })
        names += symbol.length
        postings.add(at, parseTerms(chunk))
        matrix.set(at, chunk.model === model ? chunk.embedding : null)
        own.push(at)
      }
    },

    removeFile(id) {
      for (const at of files.get(id) ?? []) {
        postings.remove(at)
        matrix.set(at, null)
        places[at] = undefined
        dead += 1
      }
      files.delete(id)
    },

    search(question) {
      const isAllowed = question.isAllowed && memoizeByFile(question.isAllowed, places)
      const byWords = postings.search(queryTerms(question.text), RANKED_MAX, isAllowed)
      const byMeaning = question.vector ? matrix.nearest(question.vector, isAllowed) : []
      return fuse(byWords, byMeaning, question.vector ? question.vectorWeight : 0)
    },
  }
}

/** What is asked of a path is asked once for each file. */
function memoizeByFile(isAllowed: (path: string) => boolean, places: readonly (IndexedChunk | undefined)[]) {
  const known = new Map<FileRow, boolean>()
  return (at: number): boolean => {
    const file = places[at]?.file
    if (!file) return false
    const before = known.get(file)
    if (before !== undefined) return before
    const is = isAllowed(file.path)
    known.set(file, is)
    return is
  }
}

/** As it was stored: terms and their weights in turn. */
export function parseTerms({ terms, length }: Pick<ChunkRow, 'terms' | 'length'>): TermCounts {
  const parts = terms.split(' ')
  const counts: [string, number][] = []
  for (let i = 0; i + 1 < parts.length; i += 2) counts.push([parts[i] ?? '', Number(parts[i + 1])])
  return { counts, length }
}

/** Vectors one after the other. The first says how many dimensions there are; one that has others is left out. */
function createMatrix() {
  let size = 0
  let values = new Int8Array()
  let has = new Uint8Array()
  let end = 0

  function reserve(at: number): void {
    if (at < has.length) return
    const rows = Math.max(at + 1, Math.ceil(has.length * 1.5), 64)
    const [more, flags] = [new Int8Array(rows * size), new Uint8Array(rows)]
    more.set(values)
    flags.set(has)
    values = more
    has = flags
  }

  return {
    get size() {
      return size
    },
    get bytes() {
      return values.length + has.length
    },
    set(at: number, embedding: Uint8Array | null): void {
      if (embedding && size === 0) {
        size = embedding.length
        values = new Int8Array(has.length * size)
      }
      const isFitting = embedding !== null && embedding.length === size && size > 0
      if (!isFitting && at >= end) return
      reserve(at)
      end = Math.max(end, at + 1)
      has[at] = isFitting ? 1 : 0
      if (isFitting) values.set(new Int8Array(embedding.buffer, embedding.byteOffset, size), at * size)
    },
    nearest(question: Int8Array, isAllowed?: (at: number) => boolean): ScoredItem[] {
      const top = createTopK(RANKED_MAX)
      if (question.length !== size) return []
      for (let at = 0; at < end; at++) {
        if (has[at] === 0 || (isAllowed && !isAllowed(at))) continue
        const product = dot(question, values, at * size)
        if (product > top.bar) top.offer(at, product)
      }
      return top.list().map(({ at, score }) => ({ at, score: cosineOf(score) }))
    },
  }
}
