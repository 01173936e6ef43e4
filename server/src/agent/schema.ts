// The shapes of runs: what is asked, what comes back, and what is kept.
import { z } from 'zod'
import { isCleanContextPath } from '../kernel/clean-path.ts'
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
        error:
          'must be a clean relative path of at most 240 bytes, with / between folders and no . or .. in it',
      }),
      content: z.string().max(CONTEXT_CHARACTERS),
    }),
  )
  .max(CONTEXT_FILES)
  .superRefine((files, check) => {
    for (const problem of findFileProblems(files))
      check.addIssue({ code: 'custom', input: files, ...problem })
  })

/** The folders that a path goes through. */
const parentFolders = (path: string): string[] =>
  path.split('/').flatMap((_, i, names) => (i === 0 ? [] : names.slice(0, i).join('/')))

/** What is wrong with files that are each in order. */
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
    prompt: words(PROMPT_CHARACTERS).meta({ description: 'What is to be done.' }),
    context: ContextFiles.optional().meta({
      description: `The files that it is about: at most ${CONTEXT_FILES}, of ${CONTEXT_CHARACTERS} characters together. What does not fit into the model is cut, and the reply says so.`,
    }),
    repo: repoName.optional().meta({
      description:
        'The indexed repository that the prompt is about: excerpts come from it alone. Left out: `default`, or the only one that is indexed.',
    }),
    frontier: z
      .boolean()
      .optional()
      .meta({ description: 'True asks for the frontier lane; your policy has the last word.' }),
    maxMinor: minor(0n)
      .optional()
      .meta({ description: 'The most that it may cost. What cannot be done within it is refused with 402.' }),
    allowSecrets: z.boolean().optional().meta({
      description:
        'True sends secrets in `prompt` and `context` to the model as they are. Otherwise files such as `.env` and values that look like secrets are withheld and named in `withheld`. Ask the owner of the files first.',
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
      description:
        'Of the text that was sent, so that an edit of another one can be refused; null for new files.',
    }),
  })
  .meta({ id: 'FileEdit' })

const Context = z.object({
  included: z.array(z.string()).meta({ description: 'Files that the model was shown whole.' }),
  omitted: z
    .array(z.object({ path: z.string(), lines: z.int(), shownLines: z.int() }))
    .meta({ description: 'Files of which it was shown the beginning, or nothing.' }),
})

const withheld = z
  .array(z.object({ path: z.string(), line: z.int().optional(), reason: z.string() }))
  .optional()
  .meta({
    description:
      'Secrets that the model does not read: whole files by their name, or values by their line. `path` is a file, `prompt` or `test output`. Edits keep the values. Send `allowSecrets` to send them.',
  })

const outcome = {
  id: z.string(),
  plan: z.string(),
  summary: z.string(),
  lane,
  model: z.string(),
  costMinor: minorOut,
  review: z
    .looseObject({})
    .optional()
    .meta({ description: 'What our rules say about a change of code that moves money.' }),
  status: z.enum(['complete', 'partial']).optional().meta({
    description:
      'Partial: the model meant to make more changes than are here; `warnings` names them. A run that was meant to change files and changes none costs nothing.',
  }),
  warnings: z.array(z.string()).optional(),
  context: Context.optional(),
  withheld,
}

export const AgentRunResult = z
  .object({ ...outcome, edits: z.array(FileEdit), balanceMinor: minorOut })
  .meta({ id: 'AgentRunResult' })
export type AgentRunResult = z.input<typeof AgentRunResult>

export const QuoteRequest = AgentRunRequest.safeExtend({
  maxIters: z.int().min(1).max(8).optional().meta({ description: 'Quotes a loop of so many iterations.' }),
  sandbox: sandbox.optional().meta({ description: 'Quotes a loop.' }),
  testCmd: z.string().max(2_000).optional(),
})
export type QuoteRequest = z.output<typeof QuoteRequest>

export const Quote = z
  .object({
    lane,
    model: z.string(),
    promptTokens: z.int().meta({ description: 'What the model reads at most in the first turn.' }),
    minMinor: minorOut.meta({ description: 'What it costs when the answer is short.' }),
    maxMinor: minorOut.meta({
      description:
        'A promise: it costs no more, also where the choice of the lane is ours and falls otherwise later. Send it as `maxMinor` and the promise holds whatever prices do.',
    }),
    leastMinor: minorOut.meta({ description: 'What has to be there for it to begin.' }),
    balanceMinor: minorOut,
    availableMinor: minorOut.meta({
      description: 'What you can spend now: free balance and plan, within your cap.',
    }),
    affordable: z
      .boolean()
      .meta({ description: 'Whether it would begin. With little money the answer is kept short.' }),
    iterations: z.int().meta({ description: 'The most it would go through; 1 for a single run.' }),
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
  iterations: z.int().meta({ description: 'Those that were dispatched and charged.' }),
  verified: z.boolean(),
  cancelled: z.boolean(),
  stopReason: z.string().nullable(),
  error: z.string().optional(),
  code: z.string().optional(),
  costMinor: minorOut,
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
}

/** Loops keep more facts of their outcome than runs do. */
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
