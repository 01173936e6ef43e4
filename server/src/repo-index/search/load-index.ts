// Brings an index in memory up to date: all of it the first time, and later what has changed.
import { setImmediate } from 'node:timers/promises'
import type { Tx } from '../../platform/db/tx.ts'
import type { RepoKey } from '../repo-key.ts'
import type { FileId, State } from '../sql.ts'
import { bytesAtLeast, createOrgIndex, type OrgIndex } from './memory-index.ts'
import { type ChunkRow, comparedChunks, type FileRow, fileIds, filesAfter } from './read-sql.ts'

const CHUNKS_AT_ONCE = 2_000
/** Then everybody else has a turn. */
const CHUNKS_PER_TURN = 100
/** When more of an index is gone than this, it is made anew. */
const DEAD_SHARE = 0.3
const DEAD_LEAST = 1_000

export type Loading = {
  readonly key: RepoKey
  readonly model: string
  readonly state: State
  readonly bytesMax: number
}

/** Null when it would take more memory than it may. */
export async function load(tx: Tx, known: OrgIndex | undefined, loading: Loading): Promise<OrgIndex | null> {
  const { key, model, state, bytesMax } = loading
  const index = known && isWorthKeeping(known, model) ? known : createOrgIndex(model)
  const changed = await filesAfter(tx, key, index.version)
  const chunksThere = changed.reduce((sum, { chunks }) => sum + chunks, 0)
  if (index.version === 0n && bytesAtLeast(chunksThere) > bytesMax) return null
  if (index.version > 0n && state.removedVersion > index.version) await forgetRemoved(tx, key, index)
  for (const files of batchesOf(changed)) {
    const chunks = byFile(
      await comparedChunks(
        tx,
        key.org,
        files.map(({ id }) => id),
      ),
    )
    for (const file of files) {
      index.removeFile(file.id)
      await addInTurns(index, file, chunks.get(file.id) ?? [])
    }
    if (index.bytes > bytesMax) return null
  }
  index.version = state.version
  return index
}

async function addInTurns(index: OrgIndex, file: FileRow, chunks: readonly ChunkRow[]): Promise<void> {
  for (let at = 0; at === 0 || at < chunks.length; at += CHUNKS_PER_TURN) {
    index.addChunks(file, chunks.slice(at, at + CHUNKS_PER_TURN))
    if (chunks.length > CHUNKS_PER_TURN) await setImmediate()
  }
}

const isWorthKeeping = (index: OrgIndex, model: string): boolean =>
  index.model === model && (index.dead < DEAD_LEAST || index.dead < index.chunks * DEAD_SHARE)

async function forgetRemoved(tx: Tx, key: RepoKey, index: OrgIndex): Promise<void> {
  const there = await fileIds(tx, key)
  for (const id of [...index.fileIds()]) if (!there.has(id)) index.removeFile(id)
}

/** So that no statement brings more than it should. */
export function batchesOf(files: readonly FileRow[], chunksMax = CHUNKS_AT_ONCE): FileRow[][] {
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

export function byFile(chunks: readonly ChunkRow[]): Map<FileId, ChunkRow[]> {
  return Map.groupBy(chunks, ({ fileId }) => fileId)
}
