// A comment that mentions the app. The module that owns tasks handles the job.

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
