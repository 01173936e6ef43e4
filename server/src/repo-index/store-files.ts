// Stores files with their chunks and deletes the versions that they replace. Changes of one index are serialised.
import type { Tx } from '../platform/db/tx.ts'
import type { ChunkedFile } from './chunking/chunk-files.ts'
import { languageOf } from './filter/languages.ts'
import { deleteUnusedHistory } from './history/history-sql.ts'
import { fileIdOf, type RepoKey } from './repo-key.ts'
import { encodePack } from './search/file-pack.ts'
import * as sql from './sql.ts'

export type IndexChange = {
  readonly model: string
  /** Files that no longer exist or must no longer be shown. */
  readonly removedIds: readonly sql.FileId[]
  readonly files: readonly ChunkedFile[]
  /** The embeddings of all chunks in order; null when there are no chunks. */
  readonly embeddings: Uint8Array | null
}

export type StoreResult = { readonly files: number; readonly chunks: number; readonly tokens: number }

const CHUNKS_PER_INSERT = 500
const FILES_PER_INSERT = 500

/** Files that a concurrent call stored with the same content are skipped and not counted. */
export async function storeFiles(tx: Tx, key: RepoKey, change: IndexChange): Promise<StoreResult> {
  const { removedIds } = change
  const { org } = key
  if (change.files.length === 0 && !(await isAnyIndexed(tx, org, removedIds)))
    return { files: 0, chunks: 0, tokens: 0 }
  const version = await sql.beginChange(tx, org)
  const removed = await sql.deleteFiles(tx, org, removedIds)
  const files = await selectChangedFiles(tx, key, change)
  await sql.deleteFiles(
    tx,
    org,
    files.map(({ id }) => id),
  )
  for (let at = 0; at < files.length; at += FILES_PER_INSERT)
    await sql.insertFiles(tx, key, { version, model: change.model }, files.slice(at, at + FILES_PER_INSERT))
  await insertChunks(tx, org, change.model, files)
  if (removed.length > 0) {
    await sql.recordRemoval(tx, org, version)
    await deleteUnusedHistory(tx, key)
  }
  const chunks = files.flatMap((file) => file.chunks)
  return {
    files: files.length,
    chunks: chunks.length,
    tokens: chunks.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

const isAnyIndexed = async (tx: Tx, org: RepoKey['org'], ids: readonly sql.FileId[]): Promise<boolean> =>
  ids.length > 0 && (await sql.findKnownFiles(tx, org, ids)).length > 0

async function selectChangedFiles(
  tx: Tx,
  key: RepoKey,
  { model, files, embeddings }: IndexChange,
): Promise<sql.StoredFile[]> {
  const ids = files.map(({ path }) => fileIdOf(key, path))
  const known = new Map((await sql.findKnownFiles(tx, key.org, ids)).map((file) => [file.id, file]))
  const count = files.reduce((sum, { chunks }) => sum + chunks.length, 0)
  const size = count === 0 ? 0 : (embeddings?.length ?? 0) / count
  let offset = 0
  return files.flatMap(({ path, content, sha256, chunks }, i) => {
    const from = offset
    offset += chunks.length * size
    const before = known.get(ids[i] ?? '')
    if (before?.sha256 === sha256 && before.model === model) return []
    const own = embeddings?.subarray(from, offset) ?? new Uint8Array()
    return {
      id: ids[i] ?? '',
      path,
      sha256,
      chunks,
      language: languageOf(path).language,
      bytes: Buffer.byteLength(content),
      embeddings: own,
      pack: encodePack(
        chunks.map((chunk, ord) => ({ ...chunk, embedding: own.subarray(ord * size, (ord + 1) * size) })),
      ),
    }
  })
}

async function insertChunks(
  tx: Tx,
  org: RepoKey['org'],
  model: string,
  files: readonly sql.StoredFile[],
): Promise<void> {
  const chunks = files.flatMap(({ id, chunks }) =>
    chunks.map((chunk, ord) => ({ ...chunk, fileId: id, ord })),
  )
  const embeddings = Buffer.concat(files.map((file) => file.embeddings))
  const size = chunks.length === 0 ? 0 : embeddings.length / chunks.length
  for (let at = 0; at < chunks.length; at += CHUNKS_PER_INSERT) {
    const batch = chunks.slice(at, at + CHUNKS_PER_INSERT)
    await sql.insertChunks(tx, org, model, batch, embeddings.subarray(at * size, (at + batch.length) * size))
  }
}
