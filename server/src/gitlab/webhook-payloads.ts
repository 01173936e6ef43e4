// Schemas of GitLab webhook payloads, with the fields that are used.
import { z } from 'zod'
import { hostName, pullNumber, readHostTime } from '../forge/forge.ts'

const id = z.int().positive()
const sha = z.string().regex(/^[0-9a-f]{7,64}$/)
const user = z.object({ id, username: hostName(300) })
const project = z.object({ id, path_with_namespace: hostName(1_000).min(1) })

/** GitLab writes times as `2026-11-15T12:00:00Z` or as `2026-11-15 12:00:00 UTC`. */
const time = z
  .string()
  .transform((text) => readHostTime(text.replace(/^(\S+) (\S+) UTC$/, '$1T$2Z')))
  .nullable()
  .catch(null)

export const GitlabMergeRequestEvent = z.object({
  object_kind: z.literal('merge_request'),
  user,
  project,
  object_attributes: z.object({
    iid: pullNumber,
    title: z.string().default(''),
    action: z.string().max(40).default(''),
    /** The earlier head, when commits were pushed. */
    oldrev: z.string().nullish(),
    draft: z.boolean().nullish(),
    work_in_progress: z.boolean().nullish(),
    author_id: id.nullish(),
    source_project_id: id.nullish(),
    target_project_id: id,
    updated_at: time.default(null),
    last_commit: z.object({ id: sha }),
  }),
  changes: z.object({ draft: z.object({ current: z.boolean().nullish() }).nullish() }).default({}),
})
export type GitlabMergeRequestEvent = z.output<typeof GitlabMergeRequestEvent>

export const GitlabNoteEvent = z.object({
  object_kind: z.literal('note'),
  user,
  project,
  object_attributes: z.object({
    id,
    note: z.string().max(1_000_000),
    noteable_type: z.literal('MergeRequest'),
    action: z.string().max(40).nullish(),
    system: z.boolean().nullish(),
    type: z.string().max(40).nullish(),
    discussion_id: z
      .string()
      .max(100)
      .regex(/^[\w-]+$/)
      .nullish(),
  }),
  merge_request: z.object({ iid: pullNumber }),
})
export type GitlabNoteEvent = z.output<typeof GitlabNoteEvent>
