// SQL for the pull requests of tasks.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { TaskId } from '../types.ts'

export type TaskPullRequest = {
  taskId: TaskId
  orgId: OrgId
  repositoryId: bigint
  number: number
  url: string
  branch: string
  headSha: string
  lastChange: number
  createdAt: Date
  updatedAt: Date
}
export type NewTaskPullRequest = Omit<TaskPullRequest, 'repositoryId' | 'createdAt' | 'updatedAt'> & {
  readonly repositoryId: number
}

/** A task has one pull request. A new one replaces it. */
export async function savePullRequest(tx: Tx, pull: NewTaskPullRequest): Promise<void> {
  await tx.content.rows`
    insert into task_pull_requests (task_id, org_id, repository_id, number, url, branch, head_sha, last_change, created_at, updated_at)
    values (${pull.taskId}, ${pull.orgId}, ${pull.repositoryId}, ${pull.number}, ${pull.url}, ${pull.branch}, ${pull.headSha},
            ${pull.lastChange}, ${tx.now}, ${tx.now})
    on conflict (task_id) do update
    set repository_id = excluded.repository_id, number = excluded.number, url = excluded.url, branch = excluded.branch,
        head_sha = excluded.head_sha, last_change = excluded.last_change, updated_at = excluded.updated_at`
}

export function findPullRequest(tx: Tx, org: OrgId, task: TaskId): Promise<TaskPullRequest | undefined> {
  return tx.content.maybe<TaskPullRequest>`
    select task_id as "taskId", org_id as "orgId", repository_id as "repositoryId", number, url, branch, head_sha as "headSha",
           last_change as "lastChange", created_at as "createdAt", updated_at as "updatedAt"
    from task_pull_requests where org_id = ${org} and task_id = ${task}`
}

/** The task that a pull request belongs to. */
export async function findTaskOfPull(
  tx: Tx,
  org: OrgId,
  repositoryId: number,
  number: number,
): Promise<TaskId | undefined> {
  const [row] = await tx.content.rows<{ taskId: TaskId }>`
    select task_id as "taskId" from task_pull_requests
    where org_id = ${org} and repository_id = ${repositoryId} and number = ${number} order by created_at desc limit 1`
  return row?.taskId
}

export function listPullRequestsAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
): Promise<TaskPullRequest[]> {
  return tx.content.rows<TaskPullRequest>`
    select task_id as "taskId", org_id as "orgId", repository_id as "repositoryId", number, url, branch, head_sha as "headSha",
           last_change as "lastChange", created_at as "createdAt", updated_at as "updatedAt"
    from task_pull_requests where org_id = ${org} and (created_at, task_id) > (${after.at}, ${after.id})
    order by created_at, task_id limit ${limit}`
}
