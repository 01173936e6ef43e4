// Handles comments on pull requests that mention the app. A comment of a person with access to the repository starts a job; the
// module that owns tasks handles it. All other comments are ignored.
import { IssueCommentPayload, ReviewCommentPayload } from '../../github/github.ts'
import type { App } from '../../platform/app.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { findClaim } from '../installations/installations-sql.ts'
import type { WebhookResult } from '../installations/schema.ts'
import { mentionsApp } from './mention.ts'
import { recordDelivery } from './pulls-sql.ts'

export const COMMENT_JOB = 'tasks.comment'

export type CommentPayload = {
  readonly delivery: string
  /** GitHub's number of the installation. */
  readonly installation: number
  /** `owner/name`. */
  readonly repository: string
  readonly repositoryId: number
  readonly number: number
  readonly author: string
  readonly text: string
  /** For a comment on a line of the change. */
  readonly place: { readonly path: string; readonly line: number | null; readonly hunk: string } | null
}

type Comment = Omit<CommentPayload, 'delivery'>

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
    const payload: CommentPayload = { delivery, ...comment }
    await enqueue(tx, COMMENT_JOB, payload, { org: claim.orgId })
    return 'queued'
  })
}

function readIssueComment(body: unknown): Comment | null {
  const { success, data } = IssueCommentPayload.safeParse(body)
  // GitHub sends the same event for issues.
  return success && data.issue.pull_request ? readComment(data, data.issue.number, null) : null
}

function readReviewComment(body: unknown): Comment | null {
  const { success, data } = ReviewCommentPayload.safeParse(body)
  if (!success) return null
  const { path, line, original_line: originalLine, diff_hunk: hunk } = data.comment
  // The comment is about the last line of the hunk.
  const place = { path, line: line ?? originalLine ?? null, hunk: hunk.slice(-HUNK_MAX) }
  return readComment(data, data.pull_request.number, place)
}

/** Null for comments that start nothing: edits, strangers, bots, and those without a mention. */
function readComment(
  payload: Omit<IssueCommentPayload, 'issue'>,
  number: number,
  place: CommentPayload['place'],
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
  }
}
