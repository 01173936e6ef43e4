// Request and response shapes of runs.
import { contextPathRule, isCleanContextPath } from '@cowrie/workspace/paths/clean-path.ts'
import { z } from 'zod'
import { usuallyMinor } from '../metering/metering.ts'
import { minor, minorOut, pageQuery, timestamp, words } from '../platform/http/shapes.ts'
import { repoName } from '../repo-index/repo-index.ts'

export const PROMPT_CHARACTERS = 200_000
export const CONTEXT_FILES = 200
export const CONTEXT_CHARACTERS = 1_500_000

const lane = z.enum(['open', 'frontier'])
const sandbox = z.enum(['none', 'local', 'docker'])
const action = z.enum(['create', 'update', 'delete'])

const ContextFiles = z
  .array(
    z.object({
      path: z.string().refine(isCleanContextPath, {
        error: ({ input }) => contextPathRule(String(input)),
      }),
      content: z.string().max(CONTEXT_CHARACTERS),
    }),
  )
  .max(CONTEXT_FILES)
  .superRefine((files, check) => {
    for (const problem of findFileProblems(files))
      check.addIssue({ code: 'custom', input: files, ...problem })
  })

/** All parent folders of a path. */
const parentFolders = (path: string): string[] =>
  path.split('/').flatMap((_, i, names) => (i === 0 ? [] : names.slice(0, i).join('/')))

/** Problems between files: duplicates, a file below another file, and the total size. */
function findFileProblems(files: readonly { path: string; content: string }[]) {
  const seen = new Set<string>()
  const problems: { path: (string | number)[]; message: string }[] = []
  for (const [i, { path }] of files.entries()) {
    if (seen.has(path)) problems.push({ path: [i, 'path'], message: 'is there twice; send each file once' })
    seen.add(path)
  }
  for (const [i, { path }] of files.entries())
    if (parentFolders(path).some((folder) => seen.has(folder)))
      problems.push({ path: [i, 'path'], message: 'is a file below another file; send one of the two' })
  const characters = files.reduce((sum, { content }) => sum + content.length, 0)
  if (characters > CONTEXT_CHARACTERS)
    problems.push({
      path: [],
      message: `must have at most ${CONTEXT_CHARACTERS} characters in all files together`,
    })
  return problems
}

export const AgentRunRequest = z
  .object({
    prompt: words(PROMPT_CHARACTERS).meta({ description: 'The task.' }),
    context: ContextFiles.optional().meta({
      description: `The files of the task: at most ${CONTEXT_FILES}, with at most ${CONTEXT_CHARACTERS} characters in total. Files that exceed the context window are truncated, and the reply lists them.`,
    }),
    repo: repoName.optional().meta({
      description:
        'The indexed repository to take excerpts from. Default: `default`, or the only indexed one.',
    }),
    frontier: z
      .boolean()
      .optional()
      .meta({ description: 'True requests the frontier lane, if your policy allows it.' }),
    maxMinor: minor(0n)
      .optional()
      .meta({ description: 'The most that it may cost. A task that needs more is refused with 402.' }),
    allowSecrets: z.boolean().optional().meta({
      description:
        'True sends secrets in `prompt` and `context` to the model. Otherwise files such as `.env` and values that look like secrets are withheld and listed in `withheld`. Ask the owner of the files first.',
    }),
  })
  .meta({ id: 'AgentRunRequest' })
export type AgentRunRequest = z.output<typeof AgentRunRequest>

export const FileEdit = z
  .object({
    path: z.string().meta({ description: 'Clean, relative, inside the workspace.' }),
    action,
    content: z.string().meta({ description: 'The whole new text; empty for delete.' }),
    description: z.string(),
    baseSha256: z.string().nullable().meta({
      description: 'Hash of the text that was sent, to detect files that changed since; null for new files.',
    }),
  })
  .meta({ id: 'FileEdit' })

const Context = z
  .object({
    included: z.array(z.string()).meta({ description: 'Files that the model saw completely.' }),
    omitted: z
      .array(z.object({ path: z.string(), lines: z.int(), shownLines: z.int() }))
      .meta({ description: 'Files that the model saw in part or not at all.' }),
  })
  .meta({ id: 'AgentContext' })

const withheld = z
  .array(z.object({ path: z.string(), line: z.int().optional(), reason: z.string() }))
  .optional()
  .meta({
    description:
      'Secrets withheld from the model: whole files, or values with their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Set `allowSecrets` to send them.',
  })

const outcome = {
  id: z.string(),
  plan: z.string(),
  summary: z.string(),
  lane,
  model: z.string(),
  costMinor: minorOut,
  review: z.looseObject({}).optional().meta({ description: 'Findings of our rules in the change.' }),
  status: z.enum(['complete', 'partial']).optional().meta({
    description:
      'Partial: some intended changes are missing; `warnings` lists them. A run that intended changes and made none is free.',
  }),
  warnings: z.array(z.string()).optional(),
  context: Context.optional(),
  withheld,
}

export const AgentRunResult = z
  .object({
    ...outcome,
    edits: z.array(FileEdit),
    balanceMinor: minorOut,
    cancelled: z.boolean().optional().meta({ description: 'True if the run was stopped before its end.' }),
  })
  .meta({ id: 'AgentRunResult' })
export type AgentRunResult = z.input<typeof AgentRunResult>

const seq = z.int()

export const AgentRunFrame = z.union([
  z.object({
    seq,
    start: z.object({
      id: z.string(),
      lane,
      model: z.string(),
      maxMinor: minorOut.meta({ description: 'The maximum cost.' }),
      usuallyMinor,
    }),
  }),
  z.object({ seq, delta: z.string() }),
  z.object({
    seq,
    step: z.enum(['plan', 'edit', 'repair']),
    ok: z.boolean(),
    costMinor: minorOut.meta({ description: 'The cost so far, at most. A free result costs 0 in the end.' }),
    files: z.array(z.object({ path: z.string(), action })).optional(),
    failures: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
  }),
  z.object({
    seq,
    result: AgentRunResult,
    cancelled: z.boolean(),
    totalCostMinor: minorOut,
    balanceMinor: minorOut,
  }),
])

export const toLastFrame = (result: AgentRunResult) => ({
  result,
  cancelled: result.cancelled === true,
  totalCostMinor: result.costMinor,
  balanceMinor: result.balanceMinor,
})

export const EmptyBody = z.object({})

export const QuoteRequest = AgentRunRequest.safeExtend({
  maxIters: z
    .int()
    .min(1)
    .max(8)
    .optional()
    .meta({ description: 'Quotes a loop with this many iterations.' }),
  sandbox: sandbox.optional().meta({ description: 'Quotes a loop.' }),
  testCmd: z.string().max(2_000).optional(),
})
export type QuoteRequest = z.output<typeof QuoteRequest>

export const Quote = z
  .object({
    lane,
    model: z.string(),
    promptTokens: z.int().meta({ description: 'The most prompt tokens of the first turn.' }),
    minMinor: minorOut.meta({ description: 'The cost of a short answer, at least.' }),
    maxMinor: minorOut.meta({
      description:
        'The maximum cost, on any lane that may serve the task. Send it as `maxMinor` to keep it if prices change.',
    }),
    usuallyMinor,
    leastMinor: minorOut.meta({ description: 'The least spendable amount needed to start.' }),
    balanceMinor: minorOut,
    availableMinor: minorOut.meta({
      description: 'The amount you can spend now: free balance and plan, within your cap.',
    }),
    affordable: z
      .boolean()
      .meta({ description: 'Whether the run would start. With little money the answer is kept short.' }),
    iterations: z.int().meta({ description: 'The most iterations; 1 for a single run.' }),
    withheld,
  })
  .meta({ id: 'AgentQuote' })

const stored = {
  id: z.string(),
  userId: z.string(),
  kind: z.enum(['run', 'loop']),
  status: z.enum(['running', 'completed', 'cancelled', 'failed']),
  prompt: z.string(),
  lane,
  model: z.string(),
  sandbox,
  testCmd: z.string().nullable(),
  maxIters: z.int(),
  iterations: z.int().meta({ description: 'Dispatched and charged iterations.' }),
  verified: z.boolean(),
  cancelled: z.boolean(),
  stopReason: z.string().nullable(),
  error: z.string().optional(),
  code: z.string().optional(),
  costMinor: minorOut,
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
}

/** Results of loops have more fields than those of runs. */
const StoredResult = z.looseObject({ ...outcome, edits: z.array(FileEdit) })
const ListedResult = z.looseObject({ ...outcome, edits: z.array(z.object({ path: z.string(), action })) })

export const AgentRun = z.object({ ...stored, result: StoredResult.nullable() }).meta({ id: 'AgentRun' })
export const AgentRunsPage = z.object({
  runs: z.array(z.object({ ...stored, result: ListedResult.nullable() })),
  nextCursor: z.string().nullable(),
})

export const AgentRunsQuery = z.object({
  kind: z.enum(['run', 'loop']).optional(),
  status: z.enum(['running', 'completed', 'cancelled', 'failed']).optional(),
  ...pageQuery(),
})
export const AgentRunParams = z.object({ id: z.string().regex(/^agr_[0-9a-z]{26}$/) })
