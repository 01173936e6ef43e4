// Shapes of the addresses and replies of tasks. For bodies, see request-schema.ts.
import { z } from 'zod'
import { usuallyMinor } from '../metering/metering.ts'
import { minorOut, pageQuery, queryFlag, queryInteger, timestamp } from '../platform/http/shapes.ts'
import { turnId } from './request-schema.ts'
import { TURN_STOPS } from './types.ts'
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
  from: turnId
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

export const Reverted = z.object({
  changed: z.array(z.string()).meta({ description: 'Paths that were restored.' }),
})

export const PublishedPullRequest = z.object({
  url: z.string(),
  number: z.int(),
  branch: z.string(),
  isUpdate: z.boolean(),
})
