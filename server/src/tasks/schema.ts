// Shapes of the addresses and replies of tasks. For bodies, see request-schema.ts.
import { z } from 'zod'
import { usuallyMinor } from '../metering/metering.ts'
import { line, minorOut, pageQuery, queryFlag, queryInteger, timestamp } from '../platform/http/shapes.ts'
import { turnId } from './request-schema.ts'
import { TURN_MODES, TURN_STOPS } from './types.ts'
import { VERIFICATION_REASONS } from './verify/types.ts'

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
const Workspace = z
  .discriminatedUnion('kind', [
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
  .meta({ id: 'TaskWorkspace' })

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

export const Verification = z
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

export const withheld = z.array(z.object({ path: z.string(), line: z.int().optional(), reason: z.string() }))

const Turn = z
  .object({
    id: z.string(),
    ordinal: z.int(),
    userId: z.string(),
    prompt: z.string(),
    attachments: z.array(z.object({ name: z.string() })),
    model: z.string(),
    mode: z.enum(TURN_MODES),
    status: z.enum(['queued', 'running', 'waiting', 'finished']),
    stopReason: z.enum(TURN_STOPS).nullable(),
    errorCode: z.string().nullable(),
    summary: z.string().nullable().meta({ description: 'The last words of the model.' }),
    verified: z.boolean(),
    verification: Verification.nullable(),
    withheld,
    maxMinor: minorOut,
    changedFiles: z.int().meta({ description: 'The number of files that the turn changed.' }),
    afterSeq: z
      .int()
      .meta({ description: 'The number of the last event before the turn: follow the turn with `after`.' }),
    spentMinor: minorOut.meta({ description: 'After a refund, if there was one.' }),
    refundedMinor: minorOut,
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'TaskTurn' })

const Need = z.object({
  turnId: z.string(),
  callId: z.string().meta({ description: 'Also the `approvalId` of an approval.' }),
  kind: z.enum(['tool', 'approval']),
  tool: z.string(),
  input: z.unknown(),
})

export const Task = z
  .object({
    ...summary,
    instructions: z.string().nullable(),
    turns: z.array(Turn),
    needs: z.array(Need).meta({ description: 'The calls that an open turn waits for.' }),
    pullRequest: z
      .object({
        url: z.string(),
        number: z.int(),
        branch: z.string(),
        state: z
          .enum(['draft', 'open', 'merged', 'closed'])
          .meta({ description: 'From the last webhook of GitHub.' }),
      })
      .nullable(),
    lastSeq: z.int().meta({ description: 'The number of the last event.' }),
  })
  .meta({ id: 'Task' })

const LastTurn = z.object({
  status: z.enum(['queued', 'running', 'waiting', 'finished']),
  stopReason: z.enum(TURN_STOPS).nullable(),
  verified: z.boolean(),
  summary: z.string().nullable().meta({ description: 'The first 300 characters.' }),
})

export const TaskPage = z.object({
  tasks: z.array(z.object({ ...summary, lastTurn: LastTurn.nullable() }).meta({ id: 'TaskSummary' })),
  nextCursor: z.string().nullable(),
})

export const TasksQuery = z.object({
  archived: queryFlag.optional(),
  running: queryFlag.optional(),
  q: line(200).optional().meta({ description: 'A part of the title or of the name of the repository.' }),
  mine: queryFlag.optional().meta({ description: 'Only your own. Admins see all by default.' }),
  ...pageQuery(),
})

const taskId = z.string().regex(/^tsk_[0-9a-z]{26}$/)
export const TaskParams = z.object({ id: taskId })
export const TaskQuery = z.object({
  turns: queryInteger(1, 500)
    .optional()
    .meta({ description: 'Only so many turns, the newest ones. Default: all.' }),
})
export const FileParams = z.object({ id: taskId, path: z.string().min(1).max(240) })
export const CallParams = z.object({ id: taskId, callId: z.string().regex(/^call_\d{1,6}_\d{1,6}$/) })

export const FilesQuery = z.object({
  prefix: z
    .string()
    .max(240)
    .optional()
    .meta({ description: 'A folder. Default: the root.', examples: ['src/'] }),
})
export const TaskFiles = z
  .object({
    entries: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['file', 'folder']),
        bytes: z.int().meta({ description: 'Of a folder: all its files together.' }),
        changed: z.int().meta({ description: 'The number of files that the task changed.' }),
      }),
    ),
    isWhole: z.boolean().meta({ description: 'False if the folder has more than 2,000 entries.' }),
  })
  .meta({ id: 'TaskFiles' })

export const InstallationParams = z.object({ id: z.string().min(1).max(100) })
export const BranchesQuery = z.object({
  repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, { error: 'must be owner/name' }),
})
export const OpenRepositories = z.object({
  repositories: z.array(z.object({ repository: z.string(), defaultBranch: z.string() })),
  isWhole: z.boolean().meta({ description: 'False if there are more than 100.' }),
})
export const RepositoryBranches = z.object({
  defaultBranch: z.string(),
  branches: z.array(z.string()).meta({ description: 'The default branch first.' }),
  isWhole: z.boolean().meta({ description: 'False if there are more than 100.' }),
})

export const DiffQuery = z.object({
  from: turnId
    .optional()
    .meta({ description: 'A turn: only what changed after it. Default: all changes of the task.' }),
})
const FileDiff = z
  .object({
    path: z.string(),
    action: z.enum(['create', 'update', 'delete']),
    added: z.int(),
    removed: z.int(),
    patch: z.string(),
    isBinary: z.boolean(),
    isWhole: z.boolean(),
    sha256: z.string().nullable().meta({
      description: 'Of the current content. Null for a deleted file and for client workspaces.',
    }),
  })
  .meta({ id: 'TaskFileDiff' })
const diffFiles = {
  files: z.array(FileDiff),
  skipped: z
    .array(Skipped)
    .meta({ description: 'Parts that are left out because the difference is too large.' }),
}
const change = z.int().meta({ description: 'The number of the last change of the workspace.' })

export const TaskDiff = z
  .object({ added: z.int(), removed: z.int(), change, ...diffFiles })
  .meta({ id: 'TaskDiff' })

export const StreamQuery = z.object({
  after: queryInteger(0, 999_999_999_999_999)
    .optional()
    .meta({ description: 'The `seq` of the last event that you have. Default: from the start.' }),
  outputs: z.enum(['short', 'none']).optional().meta({
    description:
      '`none` leaves `output` of `tool_result` empty, for a client that ran the tools itself. Default: short.',
  }),
})
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

export const Rejected = z
  .object({
    changed: z.array(z.string()).meta({ description: 'Paths that were changed.' }),
    ...diffFiles,
    before: z.int().meta({ description: 'The last change before this one. Revert to it to undo.' }),
    change,
  })
  .meta({ id: 'RejectedTaskChanges' })

export const Reverted = z.object({
  changed: z.array(z.string()).meta({ description: 'Paths that were restored.' }),
  change,
})

export const PublishedPullRequest = z.object({
  url: z.string(),
  number: z.int(),
  branch: z.string(),
  isUpdate: z.boolean(),
})
