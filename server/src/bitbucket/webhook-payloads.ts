// The schema of Bitbucket webhook payloads, with the fields that are used.
import { z } from 'zod'
import { hostName, pullNumber, readHostTime } from '../forge/forge.ts'

const id = z.int().positive()
/** It becomes part of addresses. */
export const repositoryName = z
  .string()
  .max(300)
  .regex(/^[\w-][\w.-]*\/[\w-][\w.-]*$/)
const uuid = hostName(100)
const sha = z.string().regex(/^[0-9a-f]{7,64}$/)
const user = z.object({
  uuid: uuid.default(''),
  type: z.string().max(40).default('user'),
  nickname: hostName(300).nullish(),
  display_name: hostName(300).nullish(),
})
const side = z.object({
  commit: z.object({ hash: sha }).nullish(),
  repository: z.object({ uuid }).nullish(),
})

export const BitbucketPullEvent = z.object({
  actor: user.nullish(),
  repository: z.object({ uuid, full_name: repositoryName }),
  pullrequest: z.object({
    id: pullNumber,
    title: z.string().default(''),
    draft: z.boolean().nullish(),
    state: z.string().max(40).default('OPEN'),
    source: side,
    destination: side,
    author: user.nullish(),
    updated_on: z.string().transform(readHostTime).nullish().catch(null),
  }),
  comment: z
    .object({
      id,
      content: z.object({ raw: z.string().max(1_000_000) }),
      parent: z.object({ id }).nullish(),
      user: user.nullish(),
    })
    .nullish(),
})
export type BitbucketPullEvent = z.output<typeof BitbucketPullEvent>
