// The job that answers comments to the review bot.
import type { CommentAuthor } from '../../forge/forge.ts'
import type { FindingId } from '../findings/findings-sql.ts'
import type { InstallationId } from '../installations/installations-sql.ts'
import type { RunId } from '../runs/runs-sql.ts'
import type { CommentPayload } from '../webhook/comment-payload.ts'
import type { ReplyCommand } from './command.ts'

export const REPLY_JOB = 'review.reply'

/** Where the reply goes. */
export type ReplyTarget = {
  /** Identifies the comment, so that it is answered once. */
  readonly delivery: string
  readonly installationId: InstallationId
  /** `owner/name`. */
  readonly repo: string
  readonly repoId: number
  readonly number: number
  /** Null for the conversation of the pull request. */
  readonly thread: string | null
}

export type ReplyPayload =
  | (ReplyTarget & {
      readonly command: ReplyCommand
      readonly author: CommentAuthor
      /** For the agent, if the thread is not about a finding. */
      readonly forAgent: CommentPayload | null
    })
  /** A review that a comment asked for has ended. */
  | (ReplyTarget & { readonly reviewed: { readonly runId: RunId; readonly findingId: FindingId | null } })
