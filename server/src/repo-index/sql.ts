// SQL that changes an index or reads its totals.
import type { OrgId } from '../kernel/ids.ts'
import { json, type Tx } from '../platform/db/tx.ts'
import type { CountedChunk } from './chunking/chunk-task.ts'
import type { RepoKey } from './repo-key.ts'

export type FileId = string

export type StoredFile = {
  readonly id: FileId
  readonly path: string
  readonly sha256: string
  readonly language: string
  readonly bytes: number
  readonly chunks: readonly CountedChunk[]
  /** Concatenated, one per chunk. */
  readonly embeddings: Uint8Array
  /** The searchable data of all chunks. */
  readonly pack: Uint8Array
}

export type IndexVersions = {
  readonly version: bigint
  readonly removedVersion: bigint
  readonly vectorWeight: number | null
  readonly queries: number
  /** The version that stored the history of the repository; 0 without a history. */
  readonly historyVersion: bigint
}

/** Locks the index against other changes until the transaction ends. Returns the new version. */
export async function beginChange(tx: Tx, org: OrgId): Promise<bigint> {
  const { version } = await tx.content.one<{ version: bigint }>`
    insert into index_states (org_id, version, updated_at) values (${org}, 1, ${tx.now})
    on conflict (org_id) do update set version = index_states.version + 1, updated_at = ${tx.now}
    returning version`
  return version
}

export async function recordRemoval(tx: Tx, org: OrgId, version: bigint): Promise<void> {
  await tx.content.rows`update index_states set removed_version = ${version} where org_id = ${org}`
}

/** Versions count the changes of all repositories of an organisation. The weight belongs to one repository. */
export function findIndexVersions(tx: Tx, { org, repo }: RepoKey): Promise<IndexVersions | undefined> {
  return tx.content.maybe<IndexVersions>`
    select index_states.version, removed_version as "removedVersion", measured.vector_weight as "vectorWeight",
           coalesce((measured.calibration ->> 'queries')::integer, 0) as queries,
           coalesce(history.version, 0)::bigint as "historyVersion"
    from index_states left join index_calibrations measured
         on measured.org_id = index_states.org_id and measured.repo = ${repo}
         left join index_histories history on history.org_id = index_states.org_id and history.repo = ${repo}
    where index_states.org_id = ${org}`
}

export async function saveCalibration(
  tx: Tx,
  { org, repo }: RepoKey,
  weight: number,
  calibration: object,
): Promise<void> {
  await tx.content.rows`
    insert into index_calibrations (org_id, repo, vector_weight, calibration)
    values (${org}, ${repo}, ${weight}, ${json(calibration)})
    on conflict (org_id, repo) do update
    set vector_weight = excluded.vector_weight, calibration = excluded.calibration`
}

export type KnownFile = { id: FileId; sha256: string; model: string; chunks: number }

export function findKnownFiles(tx: Tx, org: OrgId, ids: readonly FileId[]): Promise<KnownFile[]> {
  return tx.content.rows<KnownFile>`
    select id, sha256, model, chunks from index_files where org_id = ${org} and id = any(${ids}::text[])`
}

export async function countChunks(tx: Tx, org: OrgId): Promise<number> {
  const { chunks } = await tx.content.one<{ chunks: bigint }>`
    select coalesce(sum(chunks), 0)::bigint as chunks from index_files where org_id = ${org}`
  return Number(chunks)
}

/** Returns the number of chunks of each deleted file. */
export function deleteFiles(tx: Tx, org: OrgId, ids: readonly FileId[]): Promise<{ chunks: number }[]> {
  return tx.content.rows<{ chunks: number }>`
    delete from index_files where org_id = ${org} and id = any(${ids}::text[]) returning chunks`
}

/** Deletes the files, the history and the calibration of a repository. Returns the number of chunks of each file. */
export async function deleteRepo(tx: Tx, { org, repo }: RepoKey): Promise<{ chunks: number }[]> {
  await tx.content.rows`delete from index_calibrations where org_id = ${org} and repo = ${repo}`
  await tx.content.rows`delete from index_histories where org_id = ${org} and repo = ${repo}`
  return tx.content.rows<{ chunks: number }>`
    delete from index_files where org_id = ${org} and repo = ${repo} returning chunks`
}

/** The number of other repositories with files. */
export async function countOtherRepos(tx: Tx, { org, repo }: RepoKey): Promise<number> {
  const { repos } = await tx.content.one<{ repos: number }>`
    select count(distinct repo)::integer as repos from index_files where org_id = ${org} and repo <> ${repo}`
  return repos
}

export type FileRevision = { readonly version: bigint; readonly model: string }

export async function insertFiles(
  tx: Tx,
  { org, repo }: RepoKey,
  { version, model }: FileRevision,
  files: readonly StoredFile[],
): Promise<void> {
  await tx.content.rows`
    insert into index_files (id, org_id, repo, path, sha256, model, language, bytes, chunks, version, indexed_at, pack)
    select id, ${org}, ${repo}, path, sha256, ${model}, language, bytes, chunks, ${version}, ${tx.now}, pack
    from unnest(${files.map(({ id }) => id)}::text[], ${files.map(({ path }) => path)}::text[],
                ${files.map(({ sha256 }) => sha256)}::text[], ${files.map(({ language }) => language)}::text[],
                ${files.map(({ bytes }) => bytes)}::integer[],
                ${files.map(({ chunks }) => chunks.length)}::integer[], ${files.map(({ pack }) => pack)}::bytea[])
         as sent (id, path, sha256, language, bytes, chunks, pack)`
}

export type StoredChunk = CountedChunk & { readonly fileId: FileId; readonly ord: number }

/** `embeddings` concatenates the vectors of all chunks. */
export async function insertChunks(
  tx: Tx,
  org: OrgId,
  model: string,
  chunks: readonly StoredChunk[],
  embeddings: Uint8Array,
): Promise<void> {
  const size = embeddings.length / chunks.length
  const texts = (of: (chunk: StoredChunk) => string) => chunks.map(of)
  const numbers = (of: (chunk: StoredChunk) => number) => chunks.map(of)
  await tx.content.rows`
    insert into index_chunks (file_id, ord, org_id, kind, symbol, scope, start_line, end_line, content, tokens, terms, length,
                              model, embedding)
    select file_id, ord, ${org}, kind, symbol, scope, start_line, end_line, content, tokens, terms, length, ${model},
           substring(${embeddings}::bytea from ((at - 1) * ${size})::integer + 1 for ${size}::integer)
    from unnest(${texts(({ fileId }) => fileId)}::text[], ${numbers(({ ord }) => ord)}::integer[],
                ${texts(({ kind }) => kind)}::text[], ${texts(({ symbol }) => symbol)}::text[],
                ${texts(({ scope }) => scope)}::text[], ${numbers(({ startLine }) => startLine)}::integer[],
                ${numbers(({ endLine }) => endLine)}::integer[], ${texts(({ content }) => content)}::text[],
                ${numbers(({ tokens }) => tokens)}::integer[], ${texts(({ terms }) => terms)}::text[],
                ${numbers(({ length }) => length)}::integer[])
         with ordinality as sent (file_id, ord, kind, symbol, scope, start_line, end_line, content, tokens, terms, length, at)`
}

export type Totals = { files: number; chunks: number; bytes: bigint; updatedAt: Date | null }

export function readTotals(tx: Tx, { org, repo }: RepoKey): Promise<Totals> {
  return tx.content.one<Totals>`
    select count(*)::integer as files, coalesce(sum(chunks), 0)::integer as chunks,
           coalesce(sum(bytes), 0)::bigint as bytes, max(indexed_at) as "updatedAt"
    from index_files where org_id = ${org} and repo = ${repo}`
}

export type RepoTotals = Totals & { repo: string; updatedAt: Date }

/** All repositories with files, sorted by name. */
export function listRepos(tx: Tx, org: OrgId): Promise<RepoTotals[]> {
  return tx.content.rows<RepoTotals>`
    select repo, count(*)::integer as files, coalesce(sum(chunks), 0)::integer as chunks,
           coalesce(sum(bytes), 0)::bigint as bytes, max(indexed_at) as "updatedAt"
    from index_files where org_id = ${org} group by repo order by repo collate "C"`
}

export type RepoRange = { readonly first: string; readonly last: string }

/** The first and the last repository of each index, in the order of `orgs`; undefined for an empty one. */
export async function findRepoRanges(tx: Tx, orgs: readonly OrgId[]): Promise<(RepoRange | undefined)[]> {
  const rows = await tx.content.rows<RepoRange & { org: OrgId }>`
    select org, first.repo as first, last.repo as last
    from unnest(${orgs}::text[]) org,
         lateral (select repo from index_files where org_id = org order by repo limit 1) first,
         lateral (select repo from index_files where org_id = org order by repo desc limit 1) last`
  const found = new Map(rows.map(({ org, ...range }) => [org, range]))
  return orgs.map((org) => found.get(org))
}

export function listPaths(
  tx: Tx,
  { org, repo }: RepoKey,
  most: number,
): Promise<{ path: string; chunks: number; digest: string }[]> {
  return tx.content.rows<{ path: string; chunks: number; digest: string }>`
    select path, chunks, left(sha256, 12) as digest from index_files where org_id = ${org} and repo = ${repo}
    order by path collate "C" limit ${most}`
}
