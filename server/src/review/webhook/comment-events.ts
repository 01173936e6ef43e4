// Handles comments on pull requests that mention the app. A comment of a person with access to the repository starts a job: a
// reply of the review bot, or else a turn of a task. All other comments are ignored.
import { IssueCommentPayload, ReviewCommentPayload } from '../../github/github.ts'
import type { App } from '../../platform/app.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { findClaim, type InstallationId } from '../installations/installations-sql.ts'
import type { WebhookResult } from '../installations/schema.ts'
import { parseReplyCommand, type ReplyCommand } from '../replies/command.ts'
import { REPLY_JOB, type ReplyPayload } from '../replies/reply-payload.ts'
import { COMMENT_JOB, type CommentPayload } from './comment-payload.ts'
import { mentionsApp } from './mention.ts'
import { recordDelivery } from './pulls-sql.ts'

type Comment = Omit<CommentPayload, 'delivery'> & {
  /** GitHub's number of the first comment of the thread; null outside of threads. */
  readonly thread: string | null
}

const TEXT_MAX = 16_000
const HUNK_MAX = 8_000
/** GitHub's words for people who can be given access to the repository. The job checks that they have it. */
const ASSOCIATIONS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

export async function handleCommentEvent(
  app: App,
  delivery: string,
  event: 'issue_comment' | 'pull_request_review_comment',
  body: unknown,
): Promise<WebhookResult> {
  const comment = event === 'issue_comment' ? readIssueComment(body) : readReviewComment(body)
  if (comment === null) return 'ignored'
  const claim = await app.db.tx('platform', (tx) => findClaim(tx, comment.installation))
  if (claim?.status !== 'active') return 'ignored'
  return app.db.tx(claim.orgId, async (tx) => {
    if (!(await recordDelivery(tx, delivery))) return 'duplicate'
    const { thread, ...rest } = comment
    const forAgent: CommentPayload = { delivery, ...rest }
    const command = parseReplyCommand(comment.text, thread !== null)
    if (command === null) await enqueue(tx, COMMENT_JOB, forAgent, { org: claim.orgId })
    else await enqueue(tx, REPLY_JOB, toReply(forAgent, claim.id, thread, command), { org: claim.orgId })
    return 'queued'
  })
}

function toReply(
  comment: CommentPayload,
  installationId: InstallationId,
  thread: string | null,
  command: ReplyCommand,
): ReplyPayload {
  const { delivery, repository: repo, repositoryId: repoId, number, author: name } = comment
  const target = { delivery, installationId, repo, repoId, number, thread }
  return { ...target, command, author: { name, id: name }, forAgent: comment }
}

function readIssueComment(body: unknown): Comment | null {
  const { success, data } = IssueCommentPayload.safeParse(body)
  // GitHub sends the same event for issues.
  return success && data.issue.pull_request ? readComment(data, data.issue.number, null, null) : null
}

function readReviewComment(body: unknown): Comment | null {
  const { success, data } = ReviewCommentPayload.safeParse(body)
  if (!success) return null
  const { path, line, original_line: originalLine, diff_hunk: hunk, in_reply_to_id: root } = data.comment
  // The comment is about the last line of the hunk.
  const place = { path, line: line ?? originalLine ?? null, hunk: hunk.slice(-HUNK_MAX) }
  return readComment(data, data.pull_request.number, place, root ? String(root) : null)
}

/** Null for comments that start nothing: edits, strangers, bots, and those without a mention. */
function readComment(
  payload: Omit<IssueCommentPayload, 'issue'>,
  number: number,
  place: CommentPayload['place'],
  thread: string | null,
): Comment | null {
  const { action, comment, sender, installation, repository } = payload
  const isBot = [comment.user, sender].some(
    (user) => user && (user.type === 'Bot' || user.login.endsWith('[bot]')),
  )
  if (action !== 'created' || isBot || !ASSOCIATIONS.has(comment.author_association)) return null
  if (!mentionsApp(comment.body)) return null
  return {
    installation: installation.id,
    repository: repository.full_name,
    repositoryId: repository.id,
    number,
    author: comment.user.login,
    text: comment.body.slice(0, TEXT_MAX),
    place,
    thread,
  }
}
