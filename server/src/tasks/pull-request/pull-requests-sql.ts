// SQL for the pull requests of tasks.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { PullState, PullStatePayload } from '../../review/review.ts'
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
  state: PullState
  createdAt: Date
  updatedAt: Date
}
export type NewTaskPullRequest = Omit<TaskPullRequest, 'repositoryId' | 'createdAt' | 'updatedAt'> & {
  readonly repositoryId: number
}

/** A task has one pull request. A new one replaces it. */
export async function savePullRequest(tx: Tx, pull: NewTaskPullRequest): Promise<void> {
  await tx.content.rows`
    insert into task_pull_requests (task_id, org_id, repository_id, number, url, branch, head_sha, last_change, state, created_at, updated_at)
    values (${pull.taskId}, ${pull.orgId}, ${pull.repositoryId}, ${pull.number}, ${pull.url}, ${pull.branch}, ${pull.headSha},
            ${pull.lastChange}, ${pull.state}, ${tx.now}, ${tx.now})
    on conflict (task_id) do update
    set repository_id = excluded.repository_id, number = excluded.number, url = excluded.url, branch = excluded.branch,
        head_sha = excluded.head_sha, last_change = excluded.last_change, updated_at = excluded.updated_at,
        state = case when task_pull_requests.number = excluded.number then task_pull_requests.state else excluded.state end,
        state_at = case when task_pull_requests.number = excluded.number then task_pull_requests.state_at end`
}

export function findPullRequest(tx: Tx, org: OrgId, task: TaskId): Promise<TaskPullRequest | undefined> {
  return tx.content.maybe<TaskPullRequest>`
    select task_id as "taskId", org_id as "orgId", repository_id as "repositoryId", number, url, branch, head_sha as "headSha",
           last_change as "lastChange", state, created_at as "createdAt", updated_at as "updatedAt"
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

/**
 * Returns the task whose pull request has a new state. Events can arrive late: an older one changes nothing, so each newer one
 * moves the time, also when the state stays.
 */
export async function savePullState(
  tx: Tx,
  org: OrgId,
  { repositoryId, number, state, at }: PullStatePayload,
): Promise<TaskId | undefined> {
  const rows = await tx.content.rows<{ taskId: TaskId; isNew: boolean }>`
    with stored as (
      select task_id, state from task_pull_requests
      where org_id = ${org} and repository_id = ${repositoryId} and number = ${number}
        and (state_at is null or state_at <= ${at})
      for update)
    update task_pull_requests p set state = ${state}, state_at = ${at}
    from stored where p.task_id = stored.task_id
    returning p.task_id as "taskId", stored.state <> ${state} as "isNew"`
  return rows.find(({ isNew }) => isNew)?.taskId
}

export function listPullRequestsAfter(
  tx: Tx,
  org: OrgId,
  after: TimeCursor,
  limit: number,
): Promise<TaskPullRequest[]> {
  return tx.content.rows<TaskPullRequest>`
    select task_id as "taskId", org_id as "orgId", repository_id as "repositoryId", number, url, branch, head_sha as "headSha",
           last_change as "lastChange", state, created_at as "createdAt", updated_at as "updatedAt"
    from task_pull_requests where org_id = ${org} and (created_at, task_id) > (${after.at}, ${after.id})
    order by created_at, task_id limit ${limit}`
}
