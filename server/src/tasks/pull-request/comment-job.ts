// Starts turns from comments that mention the app on the pull request of a task, and replies to them once.
import {
  createInstallationToken,
  hasWriteAccess,
  isRefusal,
  listCommentBodies,
  publishComment,
  type Repository,
} from '../../github/github.ts'
import { present } from '../../kernel/assert.ts'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type JobAttempt, type JobKind, job } from '../../platform/jobs/jobs.ts'
import { COMMENT_JOB, type CommentPayload } from '../../review/review.ts'
import type { TaskId } from '../types.ts'
import { writeCommentPrompt } from './comment-prompt.ts'
import { findTaskOfPull } from './pull-requests-sql.ts'

export type CommentTurn = {
  readonly orgId: OrgId
  readonly taskId: TaskId
  readonly prompt: string
  /** A repeated call with the same id starts nothing and returns the first result. */
  readonly deliveryId: string
}
export type StartedTurn = 'started' | 'busy' | { readonly refused: string }
export type StartTurnFromComment = (app: App, turn: CommentTurn) => Promise<StartedTurn>

export const commentJob = (startTurn: StartTurnFromComment): JobKind<CommentPayload> =>
  job<CommentPayload>(COMMENT_JOB, {
    // GitHub is slow, so comments do not wait for the workers of other jobs.
    pool: 'review',
    perOrg: 2,
    attempts: 6,
    backoff: { firstMs: 10_000, maxMs: 600_000 },
    timeoutMs: 180_000,
    run: (app, attempt) => handleComment(app, attempt, startTurn),
  })

/** Comments on other pull requests, and of people who may not push, are ignored without a reply. */
export async function handleComment(
  app: App,
  { org, payload, signal }: JobAttempt<CommentPayload>,
  startTurn: StartTurnFromComment,
): Promise<void> {
  const orgId = present(org, 'a comment job has an organisation')
  const { repositoryId, number, delivery } = payload
  const taskId = await app.db.tx(orgId, (tx) => findTaskOfPull(tx, orgId, repositoryId, number))
  if (!taskId) return
  const repository = await openForReplies(app, payload, signal)
  if (repository === null || !(await hasWriteAccess(repository, payload.author))) return
  const prompt = writeCommentPrompt(payload)
  const outcome = await startTurn(app, { orgId, taskId, prompt, deliveryId: delivery })
  await replyOnce(repository, payload, replyText(taskUrl(app, taskId), outcome))
}

export const taskUrl = ({ config }: App, taskId: TaskId): string => `${config.baseUrl}/app/tasks/${taskId}`

/** Null if GitHub no longer grants access to the repository. */
async function openForReplies(
  app: App,
  { installation, repository: name, repositoryId, delivery }: CommentPayload,
  signal: AbortSignal,
): Promise<Repository | null> {
  const permissions = { metadata: 'read', pull_requests: 'write' } as const
  const scope = { repositoryIds: [repositoryId], permissions }
  try {
    const token = await createInstallationToken(app, installation, scope, signal)
    return { app, token, name, signal }
  } catch (error) {
    if (!isRefusal(error)) throw error
    app.log.warn({ err: error, delivery }, 'tasks.comment.token_refused')
    return null
  }
}

function replyText(url: string, outcome: StartedTurn): string {
  const link = `[Open the task in Cowrie](${encodeURI(url)}).`
  if (outcome === 'started') return `A turn of this task has started. ${link}`
  if (outcome === 'busy')
    return `This task is still working on its current turn. Comment again when it has ended. ${link}`
  const { refused } = outcome
  const reason = Object.hasOwn(ERRORS, refused) ? ERRORS[refused as ErrorCode].message : ''
  return [`No turn was started (\`${refused.replaceAll(/[^\w.-]/g, '')}\`).`, reason, link]
    .filter((part) => part !== '')
    .join(' ')
}

/** The mark identifies the reply to this delivery, so that a repeated job does not reply again. */
async function replyOnce(
  repository: Repository,
  { number, delivery }: CommentPayload,
  text: string,
): Promise<void> {
  const mark = `<!-- cowrie:reply=${delivery} -->`
  try {
    const bodies = await listCommentBodies(repository, number, 'issues')
    if (bodies.some((body) => body.includes(mark))) return
    await publishComment(repository, number, `${text}\n\n${mark}`)
  } catch (error) {
    if (!isRefusal(error)) throw error
    repository.app.log.warn({ err: error, delivery }, 'tasks.comment.reply_refused')
  }
}
