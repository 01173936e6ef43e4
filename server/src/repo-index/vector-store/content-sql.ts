// SQL on the content tables for searches that use the vector index.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RepoKey } from '../repo-key.ts'
import type { ChunkRef, ChunkRow } from '../search/read-sql.ts'
import type { FileId } from '../sql.ts'

/** Locks the index against changes until the transaction ends, so that no chunk is replaced in the meantime. */
export async function lockVersion(tx: Tx, org: OrgId): Promise<bigint | undefined> {
  const row = await tx.content.maybe<{ version: bigint }>`
    select version from index_states where org_id = ${org} for share`
  return row?.version
}

export type EmbeddedChunk = ChunkRef & {
  readonly repo: string
  readonly model: string
  readonly embedding: Uint8Array
}

/** The chunks of files that changed after a version, in the order of file and position. */
export function listEmbeddedAfter(
  tx: Tx,
  org: OrgId,
  since: bigint,
  after: ChunkRef,
  most: number,
): Promise<EmbeddedChunk[]> {
  return tx.content.rows<EmbeddedChunk>`
    select index_chunks.file_id as "fileId", index_chunks.ord, index_files.repo, index_chunks.model, index_chunks.embedding
    from index_chunks join index_files on index_files.id = index_chunks.file_id
    where index_chunks.org_id = ${org} and index_files.version > ${since}
      and (index_chunks.file_id, index_chunks.ord) > (${after.fileId}, ${after.ord}::integer)
    order by index_chunks.file_id, index_chunks.ord limit ${most}`
}

export type TermTotals = { readonly texts: number; readonly length: number }

/** The totals for BM25. */
export async function readTermTotals(tx: Tx, { org, repo }: RepoKey): Promise<TermTotals> {
  const { texts, length } = await tx.content.one<{ texts: bigint; length: bigint }>`
    select count(ord) as texts, coalesce(sum(greatest(1, length)), 0)::bigint as length
    from index_chunks join index_files on index_files.id = index_chunks.file_id
    where index_chunks.org_id = ${org} and index_files.repo = ${repo}`
  return { texts: Number(texts), length: Number(length) }
}

export type ChunkHead = Pick<ChunkRow, 'fileId' | 'ord' | 'kind' | 'symbol' | 'startLine' | 'endLine'>
export type TermRow = ChunkHead & Pick<ChunkRow, 'terms' | 'length'>

/** Chunks with one of the terms. Some false positives match a weight instead of a term. */
export function findChunksWithTerms(
  tx: Tx,
  org: OrgId,
  files: readonly FileId[],
  terms: readonly string[],
): Promise<TermRow[]> {
  return tx.content.rows<TermRow>`
    select file_id as "fileId", ord, kind, symbol, start_line as "startLine", end_line as "endLine", terms, length
    from index_chunks
    where org_id = ${org} and file_id = any(${files}::text[]) and string_to_array(terms, ' ') && ${terms}::text[]`
}

export function readChunkHeads(tx: Tx, org: OrgId, places: readonly ChunkRef[]): Promise<ChunkHead[]> {
  return tx.content.rows<ChunkHead>`
    select file_id as "fileId", ord, kind, symbol, start_line as "startLine", end_line as "endLine"
    from index_chunks
    where org_id = ${org}
      and (file_id, ord) in
          (select wanted.file_id, wanted.ord
           from unnest(${places.map(({ fileId }) => fileId)}::text[], ${places.map(({ ord }) => ord)}::integer[])
                as wanted (file_id, ord))`
}
