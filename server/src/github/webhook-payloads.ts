// Schemas of GitHub webhook payloads, with the fields that are used.
import { z } from 'zod'
import { githubTime } from './installation.ts'
import { parseRepositoryName, sha } from './repository.ts'

const id = z.int().positive()
const sender = z.object({ login: z.string().max(100), type: z.string().max(40).default('User') })
const fullName = z.string().transform((name, context) => {
  const safe = parseRepositoryName(name)
  if (safe === null) context.addIssue({ code: 'custom', message: 'must be owner/name' })
  return safe ?? ''
})

export const PullRequestPayload = z.object({
  action: z.string().max(100),
  number: z.int().positive().max(2_000_000_000),
  installation: z.object({ id }),
  repository: z.object({ id, full_name: fullName }),
  sender: sender.nullish(),
  pull_request: z.object({
    title: z.string().nullish(),
    draft: z.boolean().nullish(),
    merged: z.boolean().nullish(),
    updated_at: z.iso.datetime({ offset: true }).nullish(),
    user: sender.nullish(),
    head: z.object({ sha, repo: z.object({ id }).nullish() }),
    base: z.object({ sha: sha.nullish() }).nullish(),
  }),
})
export type PullRequestPayload = z.output<typeof PullRequestPayload>

const pullNumber = z.int().positive().max(2_000_000_000)
/** GitHub's limit is 65,536 characters. */
const commentBody = z.string().max(100_000)
const comment = z.object({ body: commentBody, user: sender, author_association: z.string().max(40) })
const commentEvent = {
  action: z.string().max(100),
  installation: z.object({ id }),
  repository: z.object({ id, full_name: fullName }),
  sender: sender.nullish(),
}

/** A comment on an issue, or on a pull request: then `pull_request` is present. */
export const IssueCommentPayload = z.object({
  ...commentEvent,
  issue: z.object({ number: pullNumber, pull_request: z.object({}).nullish() }),
  comment,
})
export type IssueCommentPayload = z.output<typeof IssueCommentPayload>

/** A comment on a line of a pull request. */
export const ReviewCommentPayload = z.object({
  ...commentEvent,
  pull_request: z.object({ number: pullNumber }),
  comment: comment.extend({
    path: z.string().max(4_096),
    line: z.int().positive().nullish(),
    original_line: z.int().positive().nullish(),
    diff_hunk: z.string().default(''),
    in_reply_to_id: z.int().positive().nullish(),
  }),
})

export const InstallationPayload = z.object({
  action: z.string().max(100),
  installation: z.object({
    id,
    permissions: z.record(z.string().max(100), z.string().max(20)).default({}),
    events: z.array(z.string().max(100)).max(200).default([]),
    repository_selection: z.enum(['all', 'selected']).catch('selected'),
    updated_at: githubTime,
  }),
})
export type InstallationPayload = z.output<typeof InstallationPayload>
