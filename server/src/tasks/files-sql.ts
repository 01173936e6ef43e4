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

/** Without contents, which can be large. */
export function listBaseSizes(tx: Tx, { id, orgId }: TaskKey): Promise<{ path: string; bytes: number }[]> {
  return tx.content.rows<{ path: string; bytes: number }>`
    select path, octet_length(content) as bytes from task_base_files
    where task_id = ${id} and org_id = ${orgId} and content is not null order by path`
}

/** A task stores every version of the files that it changes. */
export const CHANGES_MAX = 5_000

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
    select c.n, c.turn_id as "turnId", c.path, coalesce(c.content, same.content) as content, c.is_original as "isOriginal",
           c.patch
    from task_changes c left join task_changes same on same.task_id = c.task_id and same.n = c.same_as
    where c.task_id = ${id} and c.org_id = ${orgId} and c.n <= ${upTo} order by c.n`
}

/** A changed file after some change. Null: deleted. */
export type FileState = {
  path: string
  /** The number of the change that has the content. */
  n: number
  content: string | null
  isOriginal: boolean
}

/** The state of each changed file after a change, by path. Only the last version of each file is read. */
export function listStates(tx: Tx, { id, orgId }: TaskKey, upTo: number): Promise<FileState[]> {
  return tx.content.rows<FileState>`
    select last.path, coalesce(last.same_as, last.n) as n, coalesce(last.content, same.content) as content,
           last.is_original as "isOriginal"
    from (select distinct on (path) path, n, task_id, content, is_original, same_as from task_changes
          where task_id = ${id} and org_id = ${orgId} and n <= ${upTo} order by path, n desc) as last
    left join task_changes same on same.task_id = last.task_id and same.n = last.same_as
    order by last.path`
}

/** The patches of a client workspace after a change, in order. Null: beyond the limit of all together. */
export function listPatches(tx: Tx, { id, orgId }: TaskKey, after: number, bytes: number) {
  return tx.content.rows<{ path: string; patch: string | null }>`
    select path, case when sum(octet_length(patch)) over (order by n) <= ${bytes} then patch end as patch
    from task_changes where task_id = ${id} and org_id = ${orgId} and n > ${after} order by n`
}

export async function insertChanges(
  tx: Tx,
  { id, orgId }: TaskKey,
  changes: readonly (ChangeRow & { readonly sameAs?: number | null })[],
): Promise<void> {
  if (changes.length === 0) return
  await tx.content.rows`
    insert into task_changes (task_id, n, org_id, turn_id, path, content, is_original, same_as, patch, at)
    select ${id}, n, ${orgId}, turn_id, path, content, is_original, same_as, patch, ${tx.now}
    from unnest(${changes.map(({ n }) => n)}::int[], ${changes.map(({ turnId }) => turnId)}::text[],
                ${changes.map(({ path }) => path)}::text[], ${changes.map(({ content }) => content)}::text[],
                ${changes.map(({ isOriginal }) => isOriginal)}::boolean[],
                ${changes.map(({ sameAs = null }) => sameAs)}::int[],
                ${changes.map(({ patch }) => patch)}::text[])
      as added (n, turn_id, path, content, is_original, same_as, patch)`
}

/** The number of files that changed after a change, however often. */
export async function countChangedFiles(tx: Tx, { id, orgId }: TaskKey, after: number): Promise<number> {
  const { files } = await tx.content.one<{ files: number }>`
    select count(distinct path)::int as files from task_changes
    where task_id = ${id} and org_id = ${orgId} and n > ${after}`
  return files
}

/** The number of files that each turn of a task changed. */
export async function countFilesByTurn(tx: Tx, { id, orgId }: TaskKey): Promise<Map<TurnId, number>> {
  const rows = await tx.content.rows<{ turnId: TurnId; files: number }>`
    select turn_id as "turnId", count(distinct path)::int as files from task_changes
    where task_id = ${id} and org_id = ${orgId} and turn_id is not null group by turn_id`
  return new Map(rows.map(({ turnId, files }) => [turnId, files]))
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
          from (select c.task_id, c.n, c.path, coalesce(c.content, same.content, c.patch) as content, c.at
                from task_changes c left join task_changes same on same.task_id = c.task_id and same.n = c.same_as
                where c.org_id = ${org} and (c.at, c.task_id || '.' || to_char(c.n, 'FM0000000')) > (${after.at}, ${after.id})
                order by c.at, c.task_id || '.' || to_char(c.n, 'FM0000000') limit ${limit}) as page) as sized
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
