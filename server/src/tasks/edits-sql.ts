// SQL of changes that a caller makes between turns.
import type { Tx } from '../platform/db/tx.ts'
import type { BaseFile, FileState } from './files-sql.ts'
import type { TaskKey } from './tasks-sql.ts'

export function listBaseFilesAt(
  tx: Tx,
  { id, orgId }: TaskKey,
  paths: readonly string[],
): Promise<BaseFile[]> {
  return tx.content.rows<BaseFile>`
    select path, content from task_base_files
    where task_id = ${id} and org_id = ${orgId} and path = any(${[...paths]}::text[])`
}

/** The state of some changed files after a change. */
export function listStatesAt(
  tx: Tx,
  { id, orgId }: TaskKey,
  upTo: number,
  paths: readonly string[],
): Promise<FileState[]> {
  return tx.content.rows<FileState>`
    select last.path, coalesce(last.same_as, last.n) as n, coalesce(last.content, same.content) as content,
           last.is_original as "isOriginal"
    from (select distinct on (path) path, n, task_id, content, is_original, same_as from task_changes
          where task_id = ${id} and org_id = ${orgId} and n <= ${upTo} and path = any(${[...paths]}::text[])
          order by path, n desc) as last
    left join task_changes same on same.task_id = last.task_id and same.n = last.same_as`
}

/** The bytes of all versions that callers made. Turns pay for theirs. */
export async function sumEditBytes(tx: Tx, { id, orgId }: TaskKey): Promise<number> {
  const { bytes } = await tx.content.one<{ bytes: number }>`
    select coalesce(sum(octet_length(content)), 0)::int as bytes from task_changes
    where task_id = ${id} and org_id = ${orgId} and turn_id is null`
  return bytes
}

/** Paths whose content after one change is another version than after the other. */
export async function listEditedPaths(
  tx: Tx,
  { id, orgId }: TaskKey,
  after: number,
  upTo: number,
): Promise<string[]> {
  const rows = await tx.content.rows<{ path: string }>`
    select later.path
    from (select distinct on (path) path, case when is_original then 0 else coalesce(same_as, n) end as version
          from task_changes where task_id = ${id} and org_id = ${orgId} and n > ${after} and n <= ${upTo}
          order by path, n desc) as later
    left join (select distinct on (path) path, case when is_original then 0 else coalesce(same_as, n) end as version
               from task_changes where task_id = ${id} and org_id = ${orgId} and n <= ${after}
               order by path, n desc) as earlier on earlier.path = later.path
    where later.version <> coalesce(earlier.version, 0)
    order by later.path`
  return rows.map(({ path }) => path)
}
