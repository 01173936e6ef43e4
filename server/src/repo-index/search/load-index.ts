// Loads an index into memory: everything the first time, later only the changes.
import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../platform/db/tx.ts'
import { createFileHistory } from '../history/file-history.ts'
import { readHistory } from '../history/history-sql.ts'
import type { RepoKey } from '../repo-key.ts'
import type { FileId, IndexVersions } from '../sql.ts'
import { encodePack, isReadablePack } from './file-pack.ts'
import { createMemoryIndex, type MemoryIndex, minimumBytes } from './memory-index.ts'
import {
  type ChunkRow,
  type FileRow,
  listFileIds,
  listFilesAfter,
  readChunks,
  readPacks,
} from './read-sql.ts'

const CHUNKS_PER_QUERY = 2_000
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
  const before = known && isReusable(known, model) ? known : undefined
  const changed = await listFilesAfter(tx, key, before?.version ?? 0n)
  const chunkCount = changed.reduce((sum, { chunks }) => sum + chunks, 0)
  if (!before && minimumBytes(chunkCount) > bytesMax) return null
  const index = before ?? createMemoryIndex(model, chunkCount)
  if (index.version > 0n && state.removedVersion > index.version) await dropRemovedFiles(tx, key, index)
  const batches = batchFiles(changed)
  let next = batches[0] && readBatch(tx, key, batches[0])
  for (const [i, files] of batches.entries()) {
    const packs = await next
    const following = batches[i + 1]
    // The database reads the next batch while this one is added.
    next = following && readBatch(tx, key, following)
    next?.catch(() => {})
    for (const file of files) {
      index.removeFile(file.id)
      const packed = packs?.get(file.id)
      if (packed) index.addFile(file, packed.pack, packed.model === model)
    }
    if (index.bytes > bytesMax) return null
    await setImmediate()
  }
  await loadHistory(tx, key, index, state.historyVersion)
  if (index.bytes > bytesMax) return null
  index.version = state.version
  return index
}

async function loadHistory(tx: Tx, key: RepoKey, index: MemoryIndex, version: bigint): Promise<void> {
  if ((index.history?.version ?? 0n) === version) return
  const stored = version === 0n ? undefined : await readHistory(tx, key)
  index.history = stored ? { version, files: createFileHistory(stored.commits) } : null
}

/** Files that were indexed before packs existed are packed from the rows of their chunks. */
async function readBatch(
  tx: Tx,
  { org }: RepoKey,
  files: readonly FileRow[],
): Promise<Map<FileId, { readonly pack: Uint8Array; readonly model: string }>> {
  const ids = files.map(({ id }) => id)
  const rows = await readPacks(tx, org, ids)
  const unpacked = rows.filter(({ pack }) => pack === null || !isReadablePack(pack)).map(({ id }) => id)
  const chunks = groupByFile(unpacked.length === 0 ? [] : await readChunks(tx, org, unpacked))
  return new Map(
    rows.map(({ id, model, pack }) => {
      const own = chunks.get(id)
      return [id, { model, pack: own || pack === null ? encodePack(own ?? []) : pack }]
    }),
  )
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
