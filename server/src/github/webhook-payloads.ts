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
    updated_at: z.iso.datetime({ offset: true }).nullish(),
    user: sender.nullish(),
    head: z.object({ sha, repo: z.object({ id }).nullish() }),
    base: z.object({ sha: sha.nullish() }).nullish(),
  }),
})
export type PullRequestPayload = z.output<typeof PullRequestPayload>

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
