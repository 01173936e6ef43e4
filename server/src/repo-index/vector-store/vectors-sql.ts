// Vectors in the database with an approximate index over them, where the server has the extension for it. What content is,
// is asked for apart: these tables are beside it, in the shared place alone.
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

/** Tables belong to the role that logged in, which is not the one that the service works as. Until the transaction ends. */
export async function switchToOwnerRole(tx: Tx): Promise<void> {
  await tx.rows`select set_config('role', 'none', true)`
}

export async function createExtension(tx: Tx): Promise<void> {
  await tx.rows`create extension if not exists vector`
}

/** `definition` is the text of our own file, one statement. */
export async function createTables(tx: Tx, definition: string): Promise<void> {
  await tx.rows(Object.assign([definition], { raw: [definition] }))
}

export async function createApproximateIndex(tx: Tx, dims: number): Promise<void> {
  await tx.rows`call index_vectors_for(${dims})`
}

export type VectorSpace = { readonly org: OrgId; readonly model: string; readonly dims: number }
export type RepoVectorSpace = VectorSpace & RepoKey

/** Up to which change the vectors are there; undefined where they never all were. */
export async function findFilledVersion(
  tx: Tx,
  { org, model, dims }: VectorSpace,
): Promise<bigint | undefined> {
  const row = await tx.maybe<{ version: bigint }>`
    select version from index_vector_fills where org_id = ${org} and model = ${model} and dims = ${dims}`
  return row?.version
}

/** Does nothing where the tables were made anew meanwhile: then what is there is not all. */
export async function recordFilled(tx: Tx, kind: VectorSpace, since: bigint, version: bigint): Promise<void> {
  const { org, model, dims } = kind
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

/** The best first, of all but some files. Fewer than `most` may also mean that the walk was given up: see `vectorCount`. */
export function findNearest(
  tx: Tx,
  { org, repo, model }: RepoVectorSpace,
  question: Int8Array,
  notIn: readonly FileId[],
  most: number,
): Promise<NearVector[]> {
  return tx.rows<NearVector>`
    select file_id as "fileId", ord, product
    from index_nearest(${org}, ${repo}, ${model}, ${vectorLiteral(question)}::text::halfvec, ${notIn}::text[],
                       ${most}::integer)`
}

/** How many there are, counted up to `most`. */
export async function countVectors(
  tx: Tx,
  { org, repo, model, dims }: RepoVectorSpace,
  notIn: readonly FileId[],
  most: number,
): Promise<number> {
  const { count } = await tx.one<{ count: bigint }>`
    select count(file_id) as count
    from (select file_id from index_vectors
          where org_id = ${org} and repo = ${repo} and model = ${model} and dims = ${dims}
            and file_id <> all (${notIn}::text[])
          limit ${most}) as counted`
  return Number(count)
}

const vectorLiteral = (vector: Int8Array): string => `[${vector.join(',')}]`
