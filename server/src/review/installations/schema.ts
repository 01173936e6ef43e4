// Request and reply schemas of installations and the webhook.
import { z } from 'zod'
import { FORGE_KINDS } from '../../forge/forge.ts'
import { timestamp } from '../../platform/http/shapes.ts'

const blockingPolicy = z.enum(['off', 'errors', 'strict']).meta({
  description:
    'Which findings make the check fail: none (off), errors of high confidence (errors), or all errors and warnings (strict).',
})

export const InstallationParams = z.object({ id: z.string().max(100) })

export const Installation = z
  .object({
    id: z.string(),
    forge: z.enum(FORGE_KINDS).meta({ description: 'The code host.' }),
    repository: z.string().nullable().meta({ description: 'Of a connection; null for the GitHub app.' }),
    installationId: z
      .int()
      .meta({ description: 'The id of the installation on GitHub; of a connection, a number of ours.' }),
    account: z.string(),
    accountType: z.string(),
    status: z.enum(['active', 'suspended', 'removed']),
    repositorySelection: z.enum(['all', 'selected']),
    blockingPolicy,
    inlineComments: z.boolean(),
    validationEnabled: z.boolean(),
    threadReplies: z.boolean().meta({ description: 'Whether the bot answers comments.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    removedAt: timestamp.nullable(),
  })
  .meta({ id: 'VcsInstallation' })
export const InstallationList = z.object({ installations: z.array(Installation) })

const NUMBER_MAX = 9_007_199_254_740_991
export const ClaimBody = z.object({
  installationId: z
    .union([z.int().positive(), z.string().regex(/^[1-9]\d{0,15}$/)])
    .transform(Number)
    .refine((id) => id <= NUMBER_MAX, { error: 'must be an installation number' })
    .meta({
      wire: {
        type: ['integer', 'string'],
        description: 'The number in the URL of its settings page on GitHub.',
        examples: [12_345_678],
      },
    }),
})

export const ConnectionBody = z.object({
  forge: z.enum(['gitlab', 'bitbucket']),
  repository: z
    .string()
    .max(500)
    .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, { error: 'must be the path of the repository, such as group/project' })
    .refine((path) => path.split('/').every((part) => !/^\.+$/.test(part)), {
      error: 'must not contain dots alone',
    })
    .meta({ description: 'The path, such as `group/project`.', examples: ['acme/payments'] }),
  token: z
    .string()
    .min(8)
    .max(1_000)
    .regex(/^[\x21-\x7e]+$/, { error: 'must be a token' })
    .meta({
      examples: ['access-token'],
      description:
        'An access token of the project or repository: on GitLab with the scope `api` and the role Developer, on Bitbucket with read access to the repository and write access to pull requests, and for replies with administration of the repository.',
    }),
})
export const ConnectionReply = z.object({
  installation: Installation,
  webhook: z
    .object({ url: z.string(), secret: z.string() })
    .meta({ description: 'Enter both in the webhook settings of the repository. The secret is shown once.' }),
})

/** Omitted settings stay as they are. */
export const SettingsBody = z
  .object({
    blockingPolicy: blockingPolicy.optional(),
    inlineComments: z.boolean().optional(),
    validationEnabled: z.boolean().optional(),
    threadReplies: z.boolean().optional(),
  })
  .refine((settings) => Object.values(settings).some((value) => value !== undefined), {
    error: 'must contain at least one setting',
  })

export const Permissions = z.object({
  required: z.array(
    z.object({ permission: z.string(), access: z.string(), why: z.string(), isFatal: z.boolean() }),
  ),
  optional: z
    .array(z.object({ permission: z.string(), access: z.string(), why: z.string(), isGranted: z.boolean() }))
    .describe('Tasks need these to open pull requests and to answer comments. Reviews do not need them.'),
  granted: z.record(z.string(), z.string()),
  events: z.array(z.string()),
  gaps: z.array(
    z.object({
      permission: z.string(),
      need: z.string(),
      have: z.string(),
      lost: z.string(),
      reason: z.string(),
    }),
  ),
})

export const WebhookReply = z
  .object({
    ok: z.literal(true),
    result: z.enum(['queued', 'noted', 'ignored', 'duplicate']),
  })
  .meta({ id: 'CodeHostWebhookReply' })
export type WebhookResult = z.output<typeof WebhookReply>['result']
