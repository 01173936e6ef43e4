// Shapes of the requests that create and change tasks.
import { contextPathRule, isCleanContextPath } from '@cowrie/workspace/paths/clean-path.ts'
import { z } from 'zod'
import { line, minor, text, words } from '../platform/http/shapes.ts'
import { clientTools } from './client/tool-schema.ts'
import { TURN_MODES } from './types.ts'

export const FILES_MAX = 5_000
export const PROMPT_CHARACTERS = 200_000
export const BODY_BYTES = 32 * 1024 * 1024
const FILE_CHARACTERS_MAX = 8 * 1024 * 1024
const ATTACHMENTS_MAX = 10
const ATTACHMENT_CHARACTERS_MAX = 2_000_000
const RESULTS_MAX = 32
export const OUTPUT_CHARACTERS_MAX = 1_000_000
const CONVENTIONS_CHARACTERS_MAX = 24_000

const filePath = z
  .string()
  .refine(isCleanContextPath, { error: ({ input }) => contextPathRule(String(input)) })
  .meta({ examples: ['src/kobo.js'] })
const model = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: '`open`, `frontier` or a model of GET /v1/models. Default: chosen for each turn.',
    examples: ['open'],
  })

export const turnId = z
  .string()
  .regex(/^trn_[0-9a-z]{26}$/, { error: 'must be the id of a turn' })
  .meta({ examples: ['trn_01jd2y5m8n4q7r0s3t6v9w2x5z'] })

const FilesWorkspace = z.object({
  kind: z.literal('files'),
  files: z
    .array(
      z.object({
        path: filePath,
        content: z
          .string()
          .max(FILE_CHARACTERS_MAX)
          .meta({ examples: ['export const add = (a, b) => a - b\n'] }),
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
    .meta({ description: 'An installation of GET /vcs/installations.' }),
  repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, { error: 'must be owner/name' }),
  ref: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'A branch, a tag or a commit. Default: the default branch.' }),
})

const conventions = z.object({ path: filePath, text: words(CONVENTIONS_CHARACTERS_MAX) }).meta({
  description: 'A file such as AGENTS.md that describes the conventions of the folder to the model.',
  examples: [{ path: 'AGENTS.md', text: 'Run the tests with `npm test`.' }],
})

const ClientWorkspace = z.object({
  kind: z.literal('client'),
  name: line(200).meta({ description: 'Shown to people, such as the name of the folder.' }),
  tools: clientTools.optional(),
  conventions: conventions.optional(),
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
    tools: clientTools.optional().meta({
      description: 'Of a client workspace: replaces all its tools. The next turn uses them.',
    }),
    conventions: conventions.nullable().optional().meta({
      description: 'Of a client workspace: replaces its conventions. The next turn uses them.',
    }),
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

const PROMPT_EXAMPLE = 'Fix the failing test.'

export const NewTurn = z
  .object({
    prompt: words(PROMPT_CHARACTERS).meta({ examples: [PROMPT_EXAMPLE] }),
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
    mode: z.enum(TURN_MODES).optional().meta({
      description:
        '`plan`: the model reads and answers with a plan. Tools that change something are refused. Default: `work`.',
    }),
    compact: z.boolean().optional().meta({
      description:
        'True replaces the conversation before this turn by a summary first. It is a metered call within `maxMinor`.',
    }),
  })
  .meta({ id: 'NewTaskTurn' })
export type NewTurn = z.output<typeof NewTurn>

export const TurnQuoteRequest = NewTurn.pick({ model: true, maxMinor: true }).extend({
  prompt: z
    .string()
    .max(PROMPT_CHARACTERS)
    .optional()
    .meta({ examples: [PROMPT_EXAMPLE] }),
})
export type TurnQuoteRequest = z.output<typeof TurnQuoteRequest>

export const TaskQuoteRequest = TurnQuoteRequest.extend({
  budgetMinor: minor(0n).optional().meta({ description: 'The budget that the task will have.' }),
})
export type TaskQuoteRequest = z.output<typeof TaskQuoteRequest>

const DELTA_PARTS_MAX = 5_000
const lines = z
  .array(z.int().min(0).max(10_000_000))
  .refine(({ length }) => length === 2 || length === 4, { error: 'must have 2 or 4 numbers' })
const callId = z
  .string()
  .min(1)
  .max(100)
  .meta({ examples: ['call_1_2'] })

const ToolResult = z
  .object({
    callId,
    ok: z.boolean(),
    output: z
      .string()
      .max(OUTPUT_CHARACTERS_MAX)
      .optional()
      .meta({ examples: ['export const add = (a, b) => a - b\n'] }),
    base: z
      .string()
      .regex(/^call_\d{1,6}_\d{1,6}$/)
      .optional()
      .meta({
        description: 'Instead of `output`: an earlier call of this task, whose result this one resembles.',
        examples: ['call_1_2'],
      }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ description: 'With `base`: of the whole output as UTF-8.' }),
    delta: z
      .array(z.union([z.string().max(OUTPUT_CHARACTERS_MAX), lines]))
      .max(DELTA_PARTS_MAX)
      .optional()
      .meta({
        description:
          'With `base`: the output in order. A text is new. `[from, count]` are lines of the base, from 0, with their line breaks. `[from, count, number, width]` are such lines that begin with a number and `| `, with consecutive numbers from `number` instead, padded to `width`. Empty: the output is the same. `lineDelta` of the SDK makes it.',
        examples: [[[0, 12], 'a new line\n', [12, 30]]],
      }),
    changes: z
      .array(
        z.object({
          path: filePath,
          patch: z.string().max(OUTPUT_CHARACTERS_MAX).meta({ description: 'A unified diff.' }),
        }),
      )
      .max(100)
      .optional()
      .meta({ description: 'The changes of the call, so that other devices can show it.' }),
  })
  .superRefine(({ output, base, sha256, delta }, check) => {
    const require = (name: string, isRight: boolean, message: string) => {
      if (!isRight) check.addIssue({ code: 'custom', input: undefined, path: [name], message })
    }
    const isDelta = base !== undefined
    require('output', isDelta || output !== undefined, 'is required, or base, sha256 and delta instead of it')
    require('output', !isDelta || output === undefined, 'must not be sent with base')
    require('sha256', isDelta === (sha256 !== undefined), 'belongs to base; send both or none')
    require('delta', isDelta === (delta !== undefined), 'belongs to base; send both or none')
  })
  .meta({ examples: [{ callId: 'call_1_2', ok: true, output: 'export const add = (a, b) => a - b\n' }] })

export const ToolResults = z
  .object({ results: z.array(ToolResult).min(1).max(RESULTS_MAX) })
  .meta({ id: 'TaskToolResults' })
export type ToolResults = z.output<typeof ToolResults>

export const Approval = z.object({
  approvalId: z
    .string()
    .min(1)
    .max(100)
    .meta({
      description: 'The `approvalId` of the event, which is the id of the call.',
      examples: ['call_1_2'],
    }),
  allow: z.boolean(),
})
export type Approval = z.output<typeof Approval>

const changeNumber = z.int().min(0).max(1_000_000)
export const Revert = z
  .object({
    turnId: turnId.optional(),
    change: changeNumber.optional().meta({
      description: 'Instead of a turn: the state after this change. 0 is the state before all changes.',
    }),
    ifChange: changeNumber.optional().meta({
      description: 'The last change that you know. If there is a newer one, nothing is restored.',
    }),
  })
  .refine(({ turnId: turn, change }) => (turn === undefined) !== (change === undefined), {
    path: ['turnId'],
    error: 'is required, or change instead of it',
  })
  .meta({ examples: [{ turnId: 'trn_01jd2y5m8n4q7r0s3t6v9w2x5z' }] })
export type Revert = z.output<typeof Revert>

const REJECTED_FILES_MAX = 1_000
const REJECTED_HUNKS_MAX = 2_000
const hunkLine = z.int().min(0).max(10_000_000)

export const Rejection = z
  .object({
    from: turnId
      .optional()
      .meta({ description: 'The turn of the difference. Default: all changes of the task.' }),
    files: z
      .array(
        z.object({
          path: filePath,
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .nullable()
            .meta({
              description: 'Of the content that you saw, from the difference. Null for a deleted file.',
              examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
            }),
          hunks: z
            .array(z.object({ oldStart: hunkLine, newStart: hunkLine }))
            .min(1)
            .max(REJECTED_HUNKS_MAX)
            .optional()
            .meta({
              description: 'The numbers in the header of each hunk in the patch. Default: the whole file.',
            }),
        }),
      )
      .min(1)
      .max(REJECTED_FILES_MAX)
      .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, {
        error: 'must name each file once',
      }),
  })
  .meta({ id: 'TaskRejection' })
export type Rejection = z.output<typeof Rejection>

export const NewPullRequest = z.object({
  branch: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Default: made from the title of the task.', examples: ['cowrie/fix-the-sum'] }),
  title: line(200).optional(),
  body: z.string().max(20_000).optional(),
  draft: z.boolean().optional().meta({ description: 'Default: true.' }),
})
export type NewPullRequest = z.output<typeof NewPullRequest>
