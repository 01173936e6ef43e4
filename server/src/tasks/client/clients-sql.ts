// SQL of the tools and conventions of client workspaces, in versions.
import type { OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { TaskKey } from '../tasks-sql.ts'
import type { TaskClient, TaskId } from '../types.ts'

/** Version 0 is that of a task that sent nothing. */
export async function findClient(
  tx: Tx,
  { id, orgId }: TaskKey,
  version: number,
): Promise<TaskClient | undefined> {
  if (version === 0) return undefined
  return tx.content.maybe<TaskClient>`
    select tools, conventions from task_clients
    where task_id = ${id} and version = ${version} and org_id = ${orgId}`
}

/** The bytes of the tools and conventions that the next turn uses. */
export async function findClientBytes(tx: Tx, org: OrgId, task: string): Promise<number> {
  const row = await tx.content.maybe<{ bytes: number }>`
    select c.bytes from tasks t join task_clients c on c.task_id = t.id and c.version = t.client_version
    where t.id = ${task} and t.org_id = ${org}`
  return row?.bytes ?? 0
}

/** The version that the next turn uses. Those that no turn needs any more are deleted. */
export async function saveClient(
  tx: Tx,
  { id, orgId }: TaskKey,
  version: number,
  client: TaskClient,
): Promise<void> {
  const tools = toJson(client.tools)
  const conventions = client.conventions && toJson(client.conventions)
  const bytes = Buffer.byteLength(tools) + Buffer.byteLength(conventions ?? '')
  await tx.content.rows`
    insert into task_clients (task_id, version, org_id, tools, conventions, bytes, created_at)
    values (${id}, ${version}, ${orgId}, ${tools}::text::json, ${conventions}::text::json, ${bytes}, ${tx.now})`
  await tx.content.rows`update tasks set client_version = ${version} where id = ${id} and org_id = ${orgId}`
  await tx.content.rows`
    delete from task_clients
    where task_id = ${id} and org_id = ${orgId} and version < ${version}
      and version not in (select client_version from task_turns where task_id = ${id} and finished_at is null)`
}

export type ExportedClient = TaskClient & { id: string; taskId: TaskId; createdAt: Date }

export function listClientsAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
  bytes: number,
): Promise<ExportedClient[]> {
  return tx.content.rows<ExportedClient>`
    select id, "taskId", tools, conventions, "createdAt"
    from (select id, "taskId", tools, conventions, "createdAt",
                 sum(bytes) over (order by "createdAt", id rows between unbounded preceding and 1 preceding) as bytes_before
          from (select task_id || '.' || to_char(version, 'FM00000') as id, task_id as "taskId", tools, conventions, bytes,
                       created_at as "createdAt"
                from task_clients
                where org_id = ${org}
                  and (created_at, task_id || '.' || to_char(version, 'FM00000')) > (${after.at}, ${after.id})
                order by created_at, task_id || '.' || to_char(version, 'FM00000') limit ${limit}) as page) as sized
    where coalesce(bytes_before, 0) < ${bytes} order by "createdAt", id`
}
