// Publishes the changes of a task as a pull request, and updates it after later turns.
import { record } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { findInstallation } from '../../review/review.ts'
import { taskUrl } from '../pull-request/comment-job.ts'
import { publishPullRequest } from '../pull-request/publish-pull-request.ts'
import { writeCommitMessage, writePullRequestBody } from '../pull-request/pull-request-text.ts'
import { findPullRequest, savePullRequest } from '../pull-request/pull-requests-sql.ts'
import type { NewPullRequest } from '../request-schema.ts'
import { redactSecrets } from '../secrets/redact.ts'
import { findTask, type Task } from '../tasks-sql.ts'
import { listTurns, type TaskTurn } from '../turns-sql.ts'
import type { FileChange, TaskId } from '../types.ts'
import { requireTask } from './access.ts'
import { changedFiles } from './task-files.ts'

export async function publishTask(
  app: App,
  actor: Actor,
  id: string,
  body: NewPullRequest,
  { address, gone }: Pick<RequestInfo, 'address' | 'gone'>,
) {
  const task = await app.db.tx(actor.orgId, (tx) => requireTask(tx, actor, id))
  if (task.openTurnId !== null) throw new ApiError('turn_running', { turnId: task.openTurnId })
  return publish(app, task, body, { signal: gone, by: { actor, address } })
}

/** After a turn: pushes its changes to the pull request of the task, if it has one. */
export async function updatePublished(
  app: App,
  orgId: OrgId,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<void> {
  const found = await app.db.tx(orgId, async (tx) => {
    const task = await findTask(tx, orgId, taskId)
    const pull = task && (await findPullRequest(tx, orgId, taskId))
    // The end of an open turn publishes its changes together with its evidence.
    return task && pull && !task.openTurnId && pull.lastChange < task.changes ? task : undefined
  })
  if (found) await publish(app, found, {}, { signal })
}

type Publication = {
  readonly signal: AbortSignal
  /** The user who asked for it; absent after a turn. */
  readonly by?: { readonly actor: Actor; readonly address: string }
}

async function publish(app: App, task: Task, body: NewPullRequest, { signal, by }: Publication) {
  const { orgId, workspace, id } = task
  if (workspace.kind !== 'repository') throw new ApiError('not_repository_workspace')
  const { turns, existing, installation, org, changes } = await app.db.tx(orgId, async (tx) => ({
    turns: await listTurns(tx, orgId, id),
    existing: await findPullRequest(tx, orgId, id),
    installation: await findInstallation(tx, orgId, workspace.installationId),
    org: present(await findOrg(tx, orgId), 'a task has an organisation'),
    changes: (await changedFiles(tx, task, 0)).flatMap(toChange),
  }))
  if (!installation) throw new ApiError('installation_unavailable')
  const last = turns.findLast(({ status }) => status === 'finished')
  const url = taskUrl(app, id)
  const evidence = evidenceFor(task, turns)
  const shown = await redactSecrets(orgId, {
    taskTitle: task.title,
    title: body.title ?? task.title,
    summary: last?.summary ?? '',
    body: body.body ?? last?.summary ?? '',
    command: evidence.verification?.command ?? '',
    detail: evidence.verification?.detail ?? '',
  })
  const published = await publishPullRequest(app, {
    orgId,
    task: { id, title: shown.taskTitle },
    installation,
    repository: workspace.repository,
    repositoryId: workspace.repositoryId,
    baseCommit: workspace.commit,
    baseBranch: isCommit(workspace.ref) ? workspace.defaultBranch : workspace.ref,
    changes,
    message: writeCommitMessage({ title: shown.title, summary: shown.summary, url }),
    branch: body.branch ?? null,
    title: shown.title,
    body: writePullRequestBody({
      summary: shown.body,
      costMinor: task.spentMinor,
      currency: org.currency,
      turns: turns.length,
      ...evidence,
      verification: evidence.verification && {
        ...evidence.verification,
        command: evidence.verification.command && shown.command,
        ...(evidence.verification.detail !== undefined && { detail: shown.detail }),
      },
      withheld: last?.withheld ?? [],
      skipped: workspace.skipped ?? [],
      url,
    }),
    draft: body.draft ?? true,
    existing: existing ?? null,
    signal,
  })
  const { number, branch, headSha, isUpdate } = published
  await app.db.tx(orgId, async (tx) => {
    await savePullRequest(tx, {
      taskId: id,
      orgId,
      repositoryId: workspace.repositoryId,
      number,
      url: published.url,
      branch,
      headSha,
      lastChange: task.changes,
      state: published.isDraft ? 'draft' : 'open',
    })
    if (by)
      await record(tx, {
        orgId,
        actor: by.actor,
        ip: by.address,
        action: 'tasks.pullRequest',
        target: published.url,
      })
  })
  return { url: published.url, number, branch, isUpdate }
}

/** A verification counts for the files that it ran on. A later turn that changed nothing leaves it valid. */
function evidenceFor({ changes }: Task, turns: readonly Pick<TaskTurn, 'verification' | 'lastChange'>[]) {
  const verified = turns.filter(({ verification }) => verification && verification.reason !== 'no_changes')
  const current = verified.findLast(({ lastChange }) => lastChange === changes)
  return { verification: current?.verification ?? null, isOutdated: !current && verified.length > 0 }
}

const isCommit = (ref: string): boolean => /^[0-9a-f]{40}$/.test(ref)

/** The net difference to the base commit. */
function toChange({
  path,
  before,
  after,
}: {
  path: string
  before: Buffer | null
  after: string | null
}): FileChange[] {
  const isSame = before === null ? after === null : after !== null && before.equals(Buffer.from(after))
  return isSame ? [] : [{ path, content: after }]
}
