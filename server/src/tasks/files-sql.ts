// SQL of the files of tasks: the originals and the changes.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { TaskKey } from './tasks-sql.ts'
import type { TurnId } from './types.ts'

/** Null: there was no such file. */
export type BaseFile = { path: string; content: Buffer | null }

/** The first original of a path is kept. */
export async function insertBaseFiles(
  tx: Tx,
  { id, orgId }: TaskKey,
  files: readonly BaseFile[],
): Promise<void> {
  if (files.length === 0) return
  await tx.content.rows`
    insert into task_base_files (task_id, path, org_id, content)
    select ${id}, path, ${orgId}, decode(content, 'base64')
    from unnest(${files.map(({ path }) => path)}::text[], ${files.map(({ content }) => content?.toString('base64') ?? null)}::text[])
      as added (path, content)
    on conflict (task_id, path) do nothing`
}

export function listBaseFiles(tx: Tx, { id, orgId }: TaskKey): Promise<BaseFile[]> {
  return tx.content.rows<BaseFile>`
    select path, content from task_base_files where task_id = ${id} and org_id = ${orgId} order by path`
}

export type ChangeRow = {
  n: number
  turnId: TurnId | null
  path: string
  content: string | null
  /** The file returned to its original. */
  isOriginal: boolean
  patch: string | null
}

/** The changes up to a number, in order. */
export function listChanges(tx: Tx, { id, orgId }: TaskKey, upTo: number): Promise<ChangeRow[]> {
  return tx.content.rows<ChangeRow>`
    select n, turn_id as "turnId", path, content, is_original as "isOriginal", patch from task_changes
    where task_id = ${id} and org_id = ${orgId} and n <= ${upTo} order by n`
}

export async function insertChanges(
  tx: Tx,
  { id, orgId }: TaskKey,
  changes: readonly ChangeRow[],
): Promise<void> {
  if (changes.length === 0) return
  await tx.content.rows`
    insert into task_changes (task_id, n, org_id, turn_id, path, content, is_original, patch, at)
    select ${id}, n, ${orgId}, turn_id, path, content, is_original, patch, ${tx.now}
    from unnest(${changes.map(({ n }) => n)}::int[], ${changes.map(({ turnId }) => turnId)}::text[],
                ${changes.map(({ path }) => path)}::text[], ${changes.map(({ content }) => content)}::text[],
                ${changes.map(({ isOriginal }) => isOriginal)}::boolean[],
                ${changes.map(({ patch }) => patch)}::text[]) as added (n, turn_id, path, content, is_original, patch)`
}

/** The number of files that changed after a change, however often. */
export async function countChangedFiles(tx: Tx, { id, orgId }: TaskKey, after: number): Promise<number> {
  const { files } = await tx.content.one<{ files: number }>`
    select count(distinct path)::int as files from task_changes
    where task_id = ${id} and org_id = ${orgId} and n > ${after}`
  return files
}

export type ExportedChange = {
  id: string
  taskId: string
  n: number
  path: string
  content: string | null
  at: Date
}

export function listChangesAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
  bytes: number,
): Promise<ExportedChange[]> {
  return tx.content.rows<ExportedChange>`
    select id, "taskId", n, path, content, at
    from (select task_id || '.' || to_char(n, 'FM0000000') as id, task_id as "taskId", n, path, content, at,
                 sum(coalesce(octet_length(content), 0))
                   over (order by at, task_id || '.' || to_char(n, 'FM0000000') rows between unbounded preceding and 1 preceding)
                   as bytes_before
          from (select task_id, n, path, coalesce(content, patch) as content, at from task_changes
                where org_id = ${org} and (at, task_id || '.' || to_char(n, 'FM0000000')) > (${after.at}, ${after.id})
                order by at, task_id || '.' || to_char(n, 'FM0000000') limit ${limit}) as page) as sized
    where coalesce(bytes_before, 0) < ${bytes} order by at, id`
}

export type ExportedBaseFile = { id: string; taskId: string; path: string; content: string | null }

/** `after` is the id of the last row of the page before: its task, a space and its path. */
export function listBaseFilesAfter(
  tx: Tx,
  org: OrgId,
  after: string,
  limit: number,
  bytes: number,
): Promise<ExportedBaseFile[]> {
  const [task = '', ...path] = after.split(' ')
  return tx.content.rows<ExportedBaseFile>`
    select task_id || ' ' || path as id, task_id as "taskId", path, encode(content, 'base64') as content
    from (select task_id, path, content,
                 sum(coalesce(octet_length(content), 0))
                   over (order by task_id, path rows between unbounded preceding and 1 preceding) as bytes_before
          from (select task_id, path, content from task_base_files
                where org_id = ${org} and (task_id, path) > (${task}, ${path.join(' ')})
                order by task_id, path limit ${limit}) as page) as sized
    where coalesce(bytes_before, 0) < ${bytes} order by task_id, path`
}
