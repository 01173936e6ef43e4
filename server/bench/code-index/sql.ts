// Builds a large index by copying the indexed files several times.
import type { Sql, Tx } from '../../src/platform/db/tx.ts'

/** Copies files with their chunks until `wanted` chunks exist. Returns the number of chunks. */
export async function multiplyIndex(owner: Sql, org: string, wanted: number): Promise<number> {
  const { chunks } = await owner.one<{
    chunks: bigint
  }>`select count(*) as chunks from index_chunks where org_id = ${org}`
  const copies = Math.max(0, Math.ceil(wanted / Number(chunks)) - 1)
  await owner.rows`
    insert into index_files (id, org_id, path, sha256, model, language, bytes, chunks, version, indexed_at, pack)
    select id || 'c' || n, org_id, 'copy' || n || '/' || path, sha256, model, language, bytes, chunks, version, indexed_at, pack
    from index_files, generate_series(1, ${copies}::int) n where org_id = ${org}`
  await owner.rows`
    insert into index_chunks (file_id, ord, org_id, kind, symbol, scope, start_line, end_line, content, tokens, terms, length,
                              model, embedding)
    select file_id || 'c' || n, ord, org_id, kind, symbol, scope, start_line, end_line, content, tokens, terms, length, model,
           embedding
    from index_chunks, generate_series(1, ${copies}::int) n where org_id = ${org}`
  await owner.rows`update index_states set version = version + 1 where org_id = ${org}`
  return Number(chunks) * (copies + 1)
}

export async function orgOf(owner: Sql, user: string): Promise<string> {
  const { id } = await owner.one<{
    id: string
  }>`select org_id as id from memberships where user_id = ${user} and role = 'owner'`
  return id
}

/** Realistic questions: the doc comments of indexed functions. */
export async function questionsIn(owner: Sql, org: string, most: number): Promise<string[]> {
  const rows = await owner.rows<{ content: string }>`
    select content from index_chunks where org_id = ${org} and kind = 'function' and content like '/**%' limit ${most}`
  return rows.map(({ content }) => content.replace(/[/*]+/g, ' ').trim().slice(0, 120))
}

/** Embeddings of indexed chunks. Called before `multiplyIndex` copies them. */
export async function vectorsIn(owner: Sql, org: string, most: number): Promise<Int8Array[]> {
  const rows = await owner.rows<{ embedding: Uint8Array }>`
    select embedding from index_chunks where org_id = ${org} order by file_id, ord limit ${most}`
  return rows.map(
    ({ embedding: { buffer, byteOffset, byteLength } }) => new Int8Array(buffer, byteOffset, byteLength),
  )
}

/** The planner would sort this few vectors. Large tables use the index, so the benchmark forces it. */
export async function forceIndexScan(tx: Tx): Promise<void> {
  await tx.rows`select set_config('enable_sort', 'off', true)`
}
