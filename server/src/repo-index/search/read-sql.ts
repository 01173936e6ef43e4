// SQL that a search uses.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RepoKey } from '../repo-key.ts'
import type { FileId } from '../sql.ts'

export type FileRow = {
  readonly id: FileId
  readonly path: string
  readonly chunks: number
  readonly version: bigint
}

/** The files of a repository that changed after a version. Version 0 lists all files. */
export function listFilesAfter(tx: Tx, { org, repo }: RepoKey, version: bigint): Promise<FileRow[]> {
  return tx.content.rows<FileRow>`
    select id, path, chunks, version from index_files
    where org_id = ${org} and repo = ${repo} and version > ${version} order by path collate "C"`
}

export async function listFileIds(tx: Tx, { org, repo }: RepoKey): Promise<Set<FileId>> {
  const rows = await tx.content.rows<{ id: FileId }>`
    select id from index_files where org_id = ${org} and repo = ${repo}`
  return new Set(rows.map(({ id }) => id))
}

export type PackRow = { readonly id: FileId; readonly model: string; readonly pack: Uint8Array | null }

/** The packs of files. Null for files that were indexed before packs existed. */
export function readPacks(tx: Tx, org: OrgId, files: readonly FileId[]): Promise<PackRow[]> {
  return tx.content.rows<PackRow>`
    select id, model, pack from index_files where org_id = ${org} and id = any(${files}::text[])`
}

export type ChunkRow = {
  readonly fileId: FileId
  readonly ord: number
  readonly kind: string
  readonly symbol: string
  readonly startLine: number
  readonly endLine: number
  readonly terms: string
  readonly length: number
  readonly model: string
  readonly embedding: Uint8Array
}

/** The searchable data of chunks, without their text, which only hits need. */
export function readChunks(tx: Tx, org: OrgId, files: readonly FileId[]): Promise<ChunkRow[]> {
  return tx.content.rows<ChunkRow>`
    select file_id as "fileId", ord, kind, symbol, start_line as "startLine", end_line as "endLine", terms, length, model,
           embedding
    from index_chunks where org_id = ${org} and file_id = any(${files}::text[]) order by file_id, ord`
}

export type ChunkRef = { readonly fileId: FileId; readonly ord: number }
export type ContentRow = ChunkRef & {
  readonly version: bigint
  readonly scope: string
  readonly content: string
}

export function readContents(tx: Tx, org: OrgId, places: readonly ChunkRef[]): Promise<ContentRow[]> {
  return tx.content.rows<ContentRow>`
    select index_chunks.file_id as "fileId", index_chunks.ord, index_files.version, index_chunks.scope,
           index_chunks.content
    from index_chunks join index_files on index_files.id = index_chunks.file_id
    where index_chunks.org_id = ${org}
      and (index_chunks.file_id, index_chunks.ord) in
          (select wanted.file_id, wanted.ord
           from unnest(${places.map(({ fileId }) => fileId)}::text[], ${places.map(({ ord }) => ord)}::integer[])
                as wanted (file_id, ord))`
}
