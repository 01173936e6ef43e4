// Loads an index into memory: everything the first time, later only the changes.
import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../platform/db/tx.ts'
import type { RepoKey } from '../repo-key.ts'
import type { FileId, IndexVersions } from '../sql.ts'
import { createMemoryIndex, type MemoryIndex, minimumBytes } from './memory-index.ts'
import { type ChunkRow, type FileRow, listFileIds, listFilesAfter, readChunks } from './read-sql.ts'

const CHUNKS_PER_QUERY = 2_000
/** After a slice, the event loop can run other work. */
const CHUNKS_PER_SLICE = 100
/** An index with a larger share of removed chunks is rebuilt. */
const REMOVED_SHARE_MAX = 0.3
const REMOVED_MIN = 1_000

export type LoadOptions = {
  readonly key: RepoKey
  readonly model: string
  readonly state: IndexVersions
  readonly bytesMax: number
}

/** Null when the index would exceed `bytesMax`. */
export async function loadIndex(
  tx: Tx,
  known: MemoryIndex | undefined,
  loading: LoadOptions,
): Promise<MemoryIndex | null> {
  const { key, model, state, bytesMax } = loading
  const index = known && isReusable(known, model) ? known : createMemoryIndex(model)
  const changed = await listFilesAfter(tx, key, index.version)
  const chunkCount = changed.reduce((sum, { chunks }) => sum + chunks, 0)
  if (index.version === 0n && minimumBytes(chunkCount) > bytesMax) return null
  if (index.version > 0n && state.removedVersion > index.version) await dropRemovedFiles(tx, key, index)
  for (const files of batchFiles(changed)) {
    const chunks = groupByFile(
      await readChunks(
        tx,
        key.org,
        files.map(({ id }) => id),
      ),
    )
    for (const file of files) {
      index.removeFile(file.id)
      await addInSlices(index, file, chunks.get(file.id) ?? [])
    }
    if (index.bytes > bytesMax) return null
  }
  index.version = state.version
  return index
}

async function addInSlices(index: MemoryIndex, file: FileRow, chunks: readonly ChunkRow[]): Promise<void> {
  for (let at = 0; at === 0 || at < chunks.length; at += CHUNKS_PER_SLICE) {
    index.addChunks(file, chunks.slice(at, at + CHUNKS_PER_SLICE))
    if (chunks.length > CHUNKS_PER_SLICE) await setImmediate()
  }
}

const isReusable = (index: MemoryIndex, model: string): boolean =>
  index.model === model &&
  (index.removedChunks < REMOVED_MIN || index.removedChunks < index.chunks * REMOVED_SHARE_MAX)

async function dropRemovedFiles(tx: Tx, key: RepoKey, index: MemoryIndex): Promise<void> {
  const existing = await listFileIds(tx, key)
  for (const id of [...index.fileIds()]) if (!existing.has(id)) index.removeFile(id)
}

/** Limits the number of chunks that one query returns. */
export function batchFiles(files: readonly FileRow[], chunksMax = CHUNKS_PER_QUERY): FileRow[][] {
  const batches: FileRow[][] = []
  let chunks = Number.POSITIVE_INFINITY
  for (const file of files) {
    if (chunks + file.chunks > chunksMax) {
      batches.push([])
      chunks = 0
    }
    batches.at(-1)?.push(file)
    chunks += file.chunks
  }
  return batches
}

export function groupByFile(chunks: readonly ChunkRow[]): Map<FileId, ChunkRow[]> {
  return Map.groupBy(chunks, ({ fileId }) => fileId)
}
