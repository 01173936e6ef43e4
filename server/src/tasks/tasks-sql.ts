// SQL of tasks.
import type { OrgId, UserId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { TaskId, TaskWorkspace, TurnId } from './types.ts'

export type Task = {
  id: TaskId
  orgId: OrgId
  userId: UserId
  title: string
  workspace: TaskWorkspace
  model: string | null
  instructions: string | null
  budgetMinor: bigint | null
  spentMinor: bigint
  nonce: string
  openTurnId: TurnId | null
  turns: number
  changes: number
  /** Of `task_clients`; 0 if there is none. */
  clientVersion: number
  archived: boolean
  createdAt: Date
  updatedAt: Date
}

/** Identifies a task within its organisation. */
export type TaskKey = Pick<Task, 'id' | 'orgId'>

export type NewTask = Pick<
  Task,
  'id' | 'orgId' | 'userId' | 'title' | 'workspace' | 'model' | 'instructions' | 'budgetMinor' | 'nonce'
>

export async function insertTask(tx: Tx, task: NewTask): Promise<void> {
  await tx.content.rows`
    insert into tasks (id, org_id, user_id, title, workspace_kind, workspace, model, instructions, budget_minor, nonce,
                       created_at, updated_at)
    values (${task.id}, ${task.orgId}, ${task.userId}, ${task.title}, ${task.workspace.kind},
            ${toJson(task.workspace)}::text::json, ${task.model}, ${task.instructions}, ${task.budgetMinor}, ${task.nonce},
            ${tx.now}, ${tx.now})`
}

export function findTask(tx: Tx, org: OrgId, id: string): Promise<Task | undefined> {
  return tx.content.maybe<Task>`
    select id, org_id as "orgId", user_id as "userId", title, workspace, model, instructions, budget_minor as "budgetMinor",
           spent_minor as "spentMinor", nonce, open_turn_id as "openTurnId", turns, changes, client_version as "clientVersion", archived,
           created_at as "createdAt", updated_at as "updatedAt"
    from tasks where id = ${id} and org_id = ${org}`
}

/** As `findTask`, and locks the task until the transaction ends. */
export function lockTask(tx: Tx, org: OrgId, id: string): Promise<Task | undefined> {
  return tx.content.maybe<Task>`
    select id, org_id as "orgId", user_id as "userId", title, workspace, model, instructions, budget_minor as "budgetMinor",
           spent_minor as "spentMinor", nonce, open_turn_id as "openTurnId", turns, changes, client_version as "clientVersion", archived,
           created_at as "createdAt", updated_at as "updatedAt"
    from tasks where id = ${id} and org_id = ${org} for update`
}

export type TaskFilter = {
  /** Null: of all members. */
  readonly userId: UserId | null
  readonly archived: boolean
  readonly running: boolean | null
  /** In the title or in the name of the repository. */
  readonly text: string | null
  readonly before: TimeCursor
  readonly limit: number
}

/** Last used first. */
export function listTasks(
  tx: Tx,
  org: OrgId,
  { userId, archived, running, text, before, limit }: TaskFilter,
): Promise<Task[]> {
  return tx.content.rows<Task>`
    select id, org_id as "orgId", user_id as "userId", title, workspace, model, instructions, budget_minor as "budgetMinor",
           spent_minor as "spentMinor", nonce, open_turn_id as "openTurnId", turns, changes, client_version as "clientVersion", archived,
           created_at as "createdAt", updated_at as "updatedAt"
    from tasks
    where org_id = ${org} and archived = ${archived} and (updated_at, id) < (${before.at}, ${before.id})
      and (${userId}::text is null or user_id = ${userId})
      and (${running}::boolean is null or (open_turn_id is not null) = ${running})
      and (${text}::text is null or position(lower(${text}) in lower(title || ' ' || coalesce(workspace->>'repository', ''))) > 0)
    order by updated_at desc, id desc limit ${limit}`
}

export async function countTasks(tx: Tx, org: OrgId): Promise<number> {
  const { count } = await tx.content.one<{ count: number }>`
    select count(*)::int as count from tasks where org_id = ${org}`
  return count
}

export type TaskPatch = Pick<Task, 'title' | 'archived' | 'budgetMinor' | 'model' | 'instructions'>

export async function updateTask(tx: Tx, { id, orgId }: TaskKey, patch: TaskPatch): Promise<void> {
  await tx.content.rows`
    update tasks
    set title = ${patch.title}, archived = ${patch.archived}, budget_minor = ${patch.budgetMinor}, model = ${patch.model},
        instructions = ${patch.instructions}, updated_at = ${tx.now}
    where id = ${id} and org_id = ${orgId}`
}

export async function setWorkspace(tx: Tx, { id, orgId }: TaskKey, workspace: TaskWorkspace): Promise<void> {
  await tx.content.rows`
    update tasks set workspace = ${toJson(workspace)}::text::json where id = ${id} and org_id = ${orgId}`
}

export async function setTitle(tx: Tx, { id, orgId }: TaskKey, title: string): Promise<void> {
  await tx.content.rows`update tasks set title = ${title} where id = ${id} and org_id = ${orgId}`
}

/** Makes a turn the one under way. */
export async function openTurn(tx: Tx, { id, orgId }: TaskKey, turn: TurnId): Promise<void> {
  await tx.content.rows`
    update tasks set open_turn_id = ${turn}, turns = turns + 1, archived = false, updated_at = ${tx.now}
    where id = ${id} and org_id = ${orgId}`
}

export async function closeTurn(tx: Tx, { id, orgId }: TaskKey): Promise<void> {
  await tx.content.rows`
    update tasks set open_turn_id = null, updated_at = ${tx.now} where id = ${id} and org_id = ${orgId}`
}

export async function addSpending(tx: Tx, { id, orgId }: TaskKey, minor: bigint): Promise<void> {
  await tx.content.rows`
    update tasks set spent_minor = spent_minor + ${minor}, updated_at = ${tx.now}
    where id = ${id} and org_id = ${orgId}`
}

/** A turn of a task that was used recently is not abandoned. */
export async function markUsed(tx: Tx, { id, orgId }: TaskKey): Promise<void> {
  await tx.content.rows`update tasks set updated_at = ${tx.now} where id = ${id} and org_id = ${orgId}`
}

/** Reserves numbers for changes, and returns the last one before them. */
export async function countChanges(tx: Tx, { id, orgId }: TaskKey, added: number): Promise<number> {
  const { changes } = await tx.content.one<{ changes: number }>`
    update tasks set changes = changes + ${added}, updated_at = ${tx.now}
    where id = ${id} and org_id = ${orgId} returning changes`
  return changes - added
}

export async function deleteTask(tx: Tx, org: OrgId, id: string): Promise<void> {
  await tx.content.rows`delete from tasks where id = ${id} and org_id = ${org}`
}

/** Deletes tasks that were not used since an instant, with all their rows. */
export function deleteUnusedSince(tx: Tx, before: Date, most: number): Promise<{ id: TaskId }[]> {
  return tx.content.rows<{ id: TaskId }>`
    delete from tasks
    where id in (select id from tasks where updated_at < ${before} and open_turn_id is null
                 order by updated_at limit ${most})
    returning id`
}

export type ExportedTask = Omit<Task, 'nonce' | 'openTurnId' | 'changes' | 'clientVersion'>

export function listTasksAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
): Promise<ExportedTask[]> {
  return tx.content.rows<ExportedTask>`
    select id, org_id as "orgId", user_id as "userId", title, workspace, model, instructions, budget_minor as "budgetMinor",
           spent_minor as "spentMinor", turns, archived, created_at as "createdAt", updated_at as "updatedAt"
    from tasks where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}
