// The index of one repository in memory: postings for terms and a vector for each chunk. Files are added and removed one by one.

import { allocateRows, eachProductBlock } from '../embedding/vector-products.ts'
import { cosineOf, dot } from '../embedding/vectors.ts'
import type { FileHistory } from '../history/file-history.ts'
import { type FusedHit, fuse, RANKED_MAX } from '../ranking/fusion.ts'
import { queryTerms } from '../ranking/lexical.ts'
import { createPostings, type TermCounts } from '../ranking/postings.ts'
import { createTopK, type ScoredItem } from '../ranking/top-k.ts'
import type { FileId } from '../sql.ts'
import { readPack } from './file-pack.ts'
import type { ChunkRow, FileRow } from './read-sql.ts'

/** A chunk without its text. */
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
  /** Null searches by terms only. */
  readonly vector: Int8Array | null
  readonly vectorWeight: number
  readonly isAllowed?: ((path: string) => boolean) | undefined
}

export type MemoryIndex = {
  /** The embedding model of the vectors. */
  readonly model: string
  /** The version of the stored index that this one matches. */
  version: bigint
  /** The commit history of the repository and the version that stored it. */
  history: { readonly version: bigint; readonly files: FileHistory } | null
  /** `hasVectors`: whether the vectors of the pack are of the model of this index. */
  addFile(file: FileRow, pack: Uint8Array, hasVectors: boolean): void
  removeFile(id: FileId): void
  fileIds(): Iterable<FileId>
  at(place: number): IndexedChunk | undefined
  /** The chunk of a file that is nearest to the vector. Without a vector, its first chunk. */
  nearestChunk(file: FileId, vector: Int8Array | null): number | undefined
  search(question: SearchQuestion): FusedHit[]
  /** The weight of a term; 0 if no chunk contains it. */
  rarityOf(term: string): number
  readonly hasVectors: boolean
  readonly chunks: number
  /** Removed chunks that still use memory. */
  readonly removedChunks: number
  readonly bytes: number
}

/** Estimated memory in addition to terms, names and vectors. */
const CHUNK_BYTES = 160
const FILE_BYTES = 400

/** A lower bound for the memory of an index. */
export const minimumBytes = (chunks: number): number => chunks * CHUNK_BYTES

/** `expected`: the number of chunks that will be added soon. */
export function createMemoryIndex(model: string, expected = 0): MemoryIndex {
  const postings = createPostings(expected)
  const files = new Map<FileId, number[]>()
  const chunkList: (IndexedChunk | undefined)[] = []
  const matrix = createMatrix(expected)
  let removedCount = 0
  let nameBytes = 0

  return {
    model,
    version: 0n,
    history: null,
    get hasVectors() {
      return matrix.size > 0
    },
    get chunks() {
      return chunkList.length - removedCount
    },
    get removedChunks() {
      return removedCount
    },
    get bytes() {
      return (
        postings.bytes +
        matrix.bytes +
        chunkList.length * CHUNK_BYTES +
        files.size * FILE_BYTES +
        nameBytes +
        (this.history?.files.bytes ?? 0)
      )
    },
    fileIds: () => files.keys(),
    at: (place) => chunkList[place],
    nearestChunk: (file, vector) => matrix.nearestOf(files.get(file) ?? [], vector),
    rarityOf: (term) => postings.rarityOf(term),

    addFile(file, pack, hasVectors) {
      const fileChunks: number[] = []
      const first = chunkList.length
      const lengths: number[] = []
      const terms = readPack(pack, (chunk, ord) => {
        const at = chunkList.length
        const { kind, symbol, startLine, endLine } = chunk
        chunkList.push({ file, ord, kind, symbol, startLine, endLine })
        nameBytes += symbol.length
        lengths.push(chunk.length)
        matrix.set(at, hasVectors && chunk.embedding.length > 0 ? chunk.embedding : null)
        fileChunks.push(at)
      })
      postings.addPacked(first, lengths, terms)
      nameBytes += file.path.length
      files.set(file.id, fileChunks)
    },

    removeFile(id) {
      for (const at of files.get(id) ?? []) {
        postings.remove(at)
        matrix.set(at, null)
        chunkList[at] = undefined
        removedCount += 1
      }
      files.delete(id)
    },

    search(question) {
      const isAllowed = question.isAllowed && memoizeByFile(question.isAllowed, chunkList)
      const byWords = postings.search(queryTerms(question.text), RANKED_MAX, isAllowed)
      const byMeaning = question.vector ? matrix.nearest(question.vector, isAllowed) : []
      return fuse(byWords, byMeaning, question.vector ? question.vectorWeight : 0)
    },
  }
}

/** Evaluates the path filter once per file. */
function memoizeByFile(
  isAllowed: (path: string) => boolean,
  chunkList: readonly (IndexedChunk | undefined)[],
) {
  const known = new Map<FileRow, boolean>()
  return (at: number): boolean => {
    const file = chunkList[at]?.file
    if (!file) return false
    const before = known.get(file)
    if (before !== undefined) return before
    const allowed = isAllowed(file.path)
    known.set(file, allowed)
    return allowed
  }
}

/** Parses stored terms, which alternate with their weights. */
export function parseTerms({ terms, length }: Pick<ChunkRow, 'terms' | 'length'>): TermCounts {
  const parts = terms.split(' ')
  const counts: [string, number][] = []
  for (let i = 0; i + 1 < parts.length; i += 2) counts.push([parts[i] ?? '', Number(parts[i + 1])])
  return { counts, length }
}

/** Stores vectors contiguously. The first one sets the dimension; vectors of another dimension are skipped. */
function createMatrix(expected: number) {
  let size = 0
  let values = new Int8Array()
  let has = new Uint8Array(expected)
  let end = 0

  function reserve(at: number): void {
    if (at < has.length) return
    const rows = Math.max(at + 1, Math.ceil(has.length * 1.5), 64)
    const [more, flags] = [allocateRows(rows * size), new Uint8Array(rows)]
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
        values = allocateRows(has.length * size)
      }
      const isFitting = embedding !== null && embedding.length === size && size > 0
      if (!isFitting && at >= end) return
      reserve(at)
      end = Math.max(end, at + 1)
      has[at] = isFitting ? 1 : 0
      if (isFitting) values.set(new Int8Array(embedding.buffer, embedding.byteOffset, size), at * size)
    },
    /** The nearest of some rows, or the first of them without a vector. */
    nearestOf(rows: readonly number[], question: Int8Array | null): number | undefined {
      if (question?.length !== size) return rows[0]
      const top = createTopK(1)
      for (const at of rows) top.offer(at, has[at] === 1 ? dot(question, values, at * size) : 0)
      return top.list()[0]?.at
    },
    nearest(question: Int8Array, isAllowed?: (at: number) => boolean): ScoredItem[] {
      const top = createTopK(RANKED_MAX)
      if (question.length !== size) return []
      let threshold = top.threshold
      eachProductBlock(question, values, end, (first, products, count) => {
        for (let i = 0; i < count; i++) {
          const product = products[i] as number
          if (product <= threshold) continue
          const at = first + i
          if (has[at] === 0 || (isAllowed && !isAllowed(at))) continue
          top.offer(at, product)
          threshold = top.threshold
        }
      })
      return top.list().map(({ at, score }) => ({ at, score: cosineOf(score) }))
    },
  }
}
