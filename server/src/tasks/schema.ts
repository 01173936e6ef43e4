// Request and reply shapes of tasks.
import { z } from 'zod'
import { isCleanContextPath } from '../kernel/clean-path.ts'
import { usuallyMinor } from '../metering/metering.ts'
import {
  line,
  minor,
  minorOut,
  pageQuery,
  queryFlag,
  queryInteger,
  text,
  timestamp,
  words,
} from '../platform/http/shapes.ts'
import { TURN_STOPS } from './types.ts'
import { VERIFICATION_REASONS } from './verify/types.ts'

export const FILES_MAX = 5_000
export const PROMPT_CHARACTERS = 200_000
export const BODY_BYTES = 32 * 1024 * 1024
const FILE_CHARACTERS_MAX = 8 * 1024 * 1024
const ATTACHMENTS_MAX = 10
const ATTACHMENT_CHARACTERS_MAX = 2_000_000
const RESULTS_MAX = 32
const OUTPUT_CHARACTERS_MAX = 1_000_000

const PATH_RULE =
  'must be a clean relative path of at most 240 bytes, with / between folders and no . or .. in it'
const filePath = z.string().refine(isCleanContextPath, { error: PATH_RULE })
const model = z.string().min(1).max(200).meta({
  description: '`open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.',
})

const FilesWorkspace = z.object({
  kind: z.literal('files'),
  files: z
    .array(
      z.object({
        path: filePath,
        content: z.string().max(FILE_CHARACTERS_MAX),
        encoding: z
          .enum(['utf8', 'base64'])
          .optional()
          .meta({ description: 'Default: utf8. Use base64 for files that are not text.' }),
      }),
    )
    .max(FILES_MAX)
    .superRefine((files, check) => {
      const seen = new Set<string>()
      for (const [i, { path }] of files.entries()) {
        if (seen.has(path))
          check.addIssue({
            code: 'custom',
            input: files,
            path: [i, 'path'],
            message: 'is there twice; send each file once',
          })
        seen.add(path)
      }
      for (const [i, { path }] of files.entries())
        if (parentFolders(path).some((folder) => seen.has(folder)))
          check.addIssue({
            code: 'custom',
            input: files,
            path: [i, 'path'],
            message: 'is a file below another file; send one of the two',
          })
    }),
})

const parentFolders = (path: string): string[] =>
  path.split('/').flatMap((_, i, names) => (i === 0 ? [] : names.slice(0, i).join('/')))

const NewRepositoryWorkspace = z.object({
  kind: z.literal('repository'),
  installationId: z
    .string()
    .min(1)
    .max(60)
    .meta({ description: 'An installation of GET /review/installations.' }),
  repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, { error: 'must be owner/name' }),
  ref: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'A branch, a tag or a commit. Default: the default branch.' }),
})

const ClientWorkspace = z.object({
  kind: z.literal('client'),
  name: line(200).meta({ description: 'Shown to people, such as the name of the folder.' }),
})

export const NewTask = z
  .object({
    title: line(200).optional().meta({ description: 'Default: made from the first prompt.' }),
    workspace: z.discriminatedUnion('kind', [FilesWorkspace, NewRepositoryWorkspace, ClientWorkspace]),
    model: model.optional(),
    budgetMinor: minor(0n)
      .optional()
      .meta({ description: 'The most that all turns of the task may cost together.' }),
    instructions: text(20_000).optional().meta({ description: 'Standing instructions for every turn.' }),
  })
  .meta({ id: 'NewTask' })
export type NewTask = z.output<typeof NewTask>

export const TaskPatch = z
  .object({
    title: line(200).optional(),
    archived: z.boolean().optional(),
    model: model.nullable().optional(),
    budgetMinor: minor(0n).nullable().optional(),
    instructions: text(20_000).nullable().optional(),
  })
  .meta({ id: 'TaskPatch' })
export type TaskPatch = z.output<typeof TaskPatch>

const TextAttachment = z.object({
  name: line(240),
  content: z.string().max(ATTACHMENT_CHARACTERS_MAX),
})
const ImageAttachment = z.object({
  name: line(240),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.base64().max(ATTACHMENT_CHARACTERS_MAX),
})

export const NewTurn = z
  .object({
    prompt: words(PROMPT_CHARACTERS),
    attachments: z
      .array(z.union([ImageAttachment, TextAttachment]))
      .max(ATTACHMENTS_MAX)
      .optional(),
    maxMinor: minor(0n)
      .optional()
      .meta({ description: 'The most that this turn may cost. Default: see the quote.' }),
    verify: z
      .object({ command: words(2_000) })
      .optional()
      .meta({
        description: 'The command that verifies the result. Default: the test command of the repository.',
      }),
    allowSecrets: z.boolean().optional().meta({
      description:
        'True sends secrets in the prompt, in attachments, and in files that the prompt names, to the model. Otherwise they are withheld and listed.',
    }),
    model: model.optional(),
  })
  .meta({ id: 'NewTaskTurn' })
export type NewTurn = z.output<typeof NewTurn>

export const TurnQuoteRequest = NewTurn.pick({ model: true, maxMinor: true }).extend({
  prompt: z.string().max(PROMPT_CHARACTERS).optional(),
})
export type TurnQuoteRequest = z.output<typeof TurnQuoteRequest>

const quote = {
  model: z.string(),
  maxMinor: minorOut.meta({ description: 'The turn never costs more than this.' }),
  usuallyMinor,
}

export const TurnQuote = z
  .object({
    ...quote,
    leastMinor: minorOut.meta({ description: 'The least spendable amount needed to start.' }),
    balanceMinor: minorOut,
    availableMinor: minorOut,
    affordable: z.boolean(),
  })
  .meta({ id: 'TaskTurnQuote' })

export const StartedTurn = z.object({ turnId: z.string(), ...quote }).meta({ id: 'StartedTaskTurn' })

const Skipped = z.object({ path: z.string(), reason: z.string() })
const Workspace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('files') }),
  z.object({
    kind: z.literal('repository'),
    installationId: z.string(),
    repository: z.string(),
    ref: z.string(),
    commit: z.string(),
    skipped: z.array(Skipped).meta({
      description:
        'Files that are not part of the workspace: submodules, LFS files, links, and files that are too large.',
    }),
  }),
  z.object({ kind: z.literal('client'), name: z.string() }),
])

const status = z.enum(['idle', 'queued', 'running', 'waiting'])

const summary = {
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  status: status.meta({ description: '`waiting`: for results of your tools, or for an approval.' }),
  workspace: Workspace,
  model: z.string().nullable(),
  budgetMinor: minorOut.nullable(),
  spentMinor: minorOut,
  turnCount: z.int(),
  archived: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
}

const TestSummary = z.object({
  exitCode: z.int().nullable(),
  passed: z.int(),
  failed: z.int(),
  durationMs: z.int(),
  isEnded: z.boolean(),
})

const Verification = z
  .object({
    verified: z.boolean(),
    command: z.string().nullable(),
    commandFrom: z.enum(['caller', 'detected']).nullable(),
    reason: z.enum(VERIFICATION_REASONS),
    detail: z.string().optional(),
    before: TestSummary.nullable(),
    after: TestSummary.nullable(),
    excerpt: z.string(),
    dependencies: z.object({
      state: z.enum(['none', 'ready', 'failed']),
      tool: z.string().optional(),
      isCached: z.boolean().optional(),
      reason: z.string().optional(),
    }),
  })
  .meta({ id: 'TaskVerification' })

const withheld = z.array(z.object({ path: z.string(), line: z.int().optional(), reason: z.string() }))

const Turn = z
  .object({
    id: z.string(),
    ordinal: z.int(),
    userId: z.string(),
    prompt: z.string(),
    attachments: z.array(z.object({ name: z.string() })),
    model: z.string(),
    status: z.enum(['queued', 'running', 'waiting', 'finished']),
    stopReason: z.enum(TURN_STOPS).nullable(),
    errorCode: z.string().nullable(),
    summary: z.string().nullable().meta({ description: 'The last words of the model.' }),
    verified: z.boolean(),
    verification: Verification.nullable(),
    withheld,
    maxMinor: minorOut,
    spentMinor: minorOut.meta({ description: 'After a refund, if there was one.' }),
    refundedMinor: minorOut,
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'TaskTurn' })

const Need = z.object({
  turnId: z.string(),
  callId: z.string(),
  kind: z.enum(['tool', 'approval']),
  tool: z.string(),
  input: z.unknown(),
})

export const Task = z
  .object({
    ...summary,
    instructions: z.string().nullable(),
    turns: z.array(Turn),
    needs: z.array(Need).meta({ description: 'What an open turn waits for.' }),
    pullRequest: z.object({ url: z.string(), number: z.int(), branch: z.string() }).nullable(),
    lastSeq: z.int().meta({ description: 'The number of the last event.' }),
  })
  .meta({ id: 'Task' })

export const TaskPage = z.object({
  tasks: z.array(z.object(summary).meta({ id: 'TaskSummary' })),
  nextCursor: z.string().nullable(),
})

export const TasksQuery = z.object({
  archived: queryFlag.optional(),
  running: queryFlag.optional(),
  mine: queryFlag.optional().meta({ description: 'Only your own. Admins see all by default.' }),
  ...pageQuery(),
})

const taskId = z.string().regex(/^tsk_[0-9a-z]{26}$/)
export const TaskParams = z.object({ id: taskId })
export const FileParams = z.object({ id: taskId, path: z.string().min(1).max(240) })
export const CallParams = z.object({ id: taskId, callId: z.string().regex(/^call_\d{1,6}_\d{1,6}$/) })

export const DiffQuery = z.object({
  from: z
    .string()
    .regex(/^trn_[0-9a-z]{26}$/)
    .optional()
    .meta({ description: 'A turn: only what changed after it. Default: all changes of the task.' }),
})
export const TaskDiff = z
  .object({
    added: z.int(),
    removed: z.int(),
    files: z.array(
      z.object({
        path: z.string(),
        action: z.enum(['create', 'update', 'delete']),
        added: z.int(),
        removed: z.int(),
        patch: z.string(),
        isBinary: z.boolean(),
        isWhole: z.boolean(),
      }),
    ),
    skipped: z
      .array(Skipped)
      .meta({ description: 'Parts that are left out because the difference is too large.' }),
  })
  .meta({ id: 'TaskDiff' })

export const StreamQuery = z.object({
  after: queryInteger(0, 999_999_999_999_999)
    .optional()
    .meta({ description: 'The `seq` of the last event that you have. Default: from the start.' }),
})
export const TaskFrame = z.looseObject({
  seq: z.int(),
  at: timestamp,
  turnId: z.string().nullable(),
  kind: z.enum([
    'message',
    'reasoning',
    'tool',
    'tool_result',
    'change',
    'cost',
    'needs_tool',
    'needs_approval',
    'status',
  ]),
})

export const ToolResults = z
  .object({
    results: z
      .array(
        z.object({
          callId: z.string().min(1).max(100),
          ok: z.boolean(),
          output: z.string().max(OUTPUT_CHARACTERS_MAX),
          changes: z
            .array(
              z.object({
                path: filePath,
                patch: z.string().max(OUTPUT_CHARACTERS_MAX).meta({ description: 'A unified diff.' }),
              }),
            )
            .max(100)
            .optional()
            .meta({ description: 'What the call changed, so that other devices can show it.' }),
        }),
      )
      .min(1)
      .max(RESULTS_MAX),
  })
  .meta({ id: 'TaskToolResults' })
export type ToolResults = z.output<typeof ToolResults>
export const ToolResultsReply = z.object({
  accepted: z.array(z.string()),
  ignored: z.array(z.string()).meta({ description: 'Calls that already had a result.' }),
  status,
})

export const FullOutput = z.object({
  callId: z.string(),
  tool: z.string(),
  input: z.unknown(),
  ok: z.boolean().nullable(),
  output: z.string().nullable().meta({ description: 'Null while the call has no result.' }),
})

export const Approval = z.object({
  approvalId: z.string().min(1).max(100),
  allow: z.boolean(),
})
export type Approval = z.output<typeof Approval>

export const Revert = z.object({ turnId: z.string().regex(/^trn_[0-9a-z]{26}$/) })
export const Reverted = z.object({
  changed: z.array(z.string()).meta({ description: 'Paths that were restored.' }),
})

export const NewPullRequest = z.object({
  branch: z.string().min(1).max(200).optional(),
  title: line(200).optional(),
  body: z.string().max(20_000).optional(),
  draft: z.boolean().optional().meta({ description: 'Default: true.' }),
})
export type NewPullRequest = z.output<typeof NewPullRequest>
export const PublishedPullRequest = z.object({
  url: z.string(),
  number: z.int(),
  branch: z.string(),
  isUpdate: z.boolean(),
})
