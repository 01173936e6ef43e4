// SQL for vectors with an approximate index, where the database has the pgvector extension. These tables exist only in the shared
// placement, separate from the content tables.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { RepoKey } from '../repo-key.ts'
import type { ChunkRef } from '../search/read-sql.ts'
import type { FileId } from '../sql.ts'

export type Extension = { readonly available: boolean; readonly installed: string | null }

export function readExtension(tx: Tx): Promise<Extension> {
  return tx.one<Extension>`
    select exists (select from pg_available_extensions where name = 'vector') as available,
           (select extversion from pg_extension where extname = 'vector') as installed`
}

/** Switches to the login role, which owns the tables, until the transaction ends. */
export async function switchToOwnerRole(tx: Tx): Promise<void> {
  await tx.rows`select set_config('role', 'none', true)`
}

export async function createExtension(tx: Tx): Promise<void> {
  await tx.rows`create extension if not exists vector`
}

/** `definition` is the single SQL statement of a migration file in this repository. */
export async function createTables(tx: Tx, definition: string): Promise<void> {
  await tx.rows(Object.assign([definition], { raw: [definition] }))
}

export async function createApproximateIndex(tx: Tx, dims: number): Promise<void> {
  await tx.rows`call index_vectors_for(${dims})`
}

export type VectorSpace = { readonly org: OrgId; readonly model: string; readonly dims: number }
export type RepoVectorSpace = VectorSpace & RepoKey

/** The version up to which all vectors are stored; undefined if no pass has completed. */
export async function findFilledVersion(
  tx: Tx,
  { org, model, dims }: VectorSpace,
): Promise<bigint | undefined> {
  const row = await tx.maybe<{ version: bigint }>`
    select version from index_vector_fills where org_id = ${org} and model = ${model} and dims = ${dims}`
  return row?.version
}

/** Does nothing if the tables were recreated in the meantime, because then vectors are missing. */
export async function recordFilled(
  tx: Tx,
  space: VectorSpace,
  since: bigint,
  version: bigint,
): Promise<void> {
  const { org, model, dims } = space
  if (since === 0n)
    await tx.rows`
      insert into index_vector_fills (org_id, model, dims, version) values (${org}, ${model}, ${dims}, ${version})
      on conflict (org_id, model, dims) do nothing`
  else
    await tx.rows`
      update index_vector_fills set version = ${version}
      where org_id = ${org} and model = ${model} and dims = ${dims} and version = ${since}`
}

export type VectorRow = ChunkRef & { readonly repo: string; readonly direction: Int8Array }

export async function insertVectors(
  tx: Tx,
  { org, model, dims }: VectorSpace,
  list: readonly VectorRow[],
): Promise<void> {
  await tx.rows`
    insert into index_vectors (file_id, ord, org_id, repo, model, dims, direction)
    select sent.file_id, sent.ord, ${org}, sent.repo, ${model}, ${dims}, sent.direction::halfvec
    from unnest(${list.map(({ fileId }) => fileId)}::text[], ${list.map(({ ord }) => ord)}::integer[],
                ${list.map(({ repo }) => repo)}::text[],
                ${list.map(({ direction }) => vectorLiteral(direction))}::text[]) as sent (file_id, ord, repo, direction)
    on conflict (file_id, ord) do nothing`
}

export type NearVector = ChunkRef & { readonly product: number }

/** The nearest vectors outside the excluded files. A result below `most` can mean an early stop: see `countVectors`. */
export function findNearest(
  tx: Tx,
  { org, repo, model }: RepoVectorSpace,
  query: Int8Array,
  excludedIds: readonly FileId[],
  most: number,
): Promise<NearVector[]> {
  return tx.rows<NearVector>`
    select file_id as "fileId", ord, product
    from index_nearest(${org}, ${repo}, ${model}, ${vectorLiteral(query)}::text::halfvec, ${excludedIds}::text[],
                       ${most}::integer)`
}

/** The number of vectors, counted up to `most`. */
export async function countVectors(
  tx: Tx,
  { org, repo, model, dims }: RepoVectorSpace,
  excludedIds: readonly FileId[],
  most: number,
): Promise<number> {
  const { count } = await tx.one<{ count: bigint }>`
    select count(file_id) as count
    from (select file_id from index_vectors
          where org_id = ${org} and repo = ${repo} and model = ${model} and dims = ${dims}
            and file_id <> all (${excludedIds}::text[])
          limit ${most}) as counted`
  return Number(count)
}

const vectorLiteral = (vector: Int8Array): string => `[${vector.join(',')}]`
