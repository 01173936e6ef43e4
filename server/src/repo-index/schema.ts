// Request and reply schemas of the code index.
import { z } from 'zod'
import { minor, minorOut, timestamp, words } from '../platform/http/shapes.ts'
import {
  FILES_PER_CALL_MAX,
  HISTORY_COMMITS_MAX,
  HITS_MAX,
  PATHS_LISTED_MAX,
  PATHS_PER_COMMIT_MAX,
  QUERY_CHARACTERS_MAX,
  REPO_CHARACTERS_MAX,
  SUBJECT_CHARACTERS_MAX,
} from './limits.ts'
import { DEFAULT_REPO } from './repo-key.ts'

/** A repository name from a request. */
export const repoName = z
  .string()
  .trim()
  .min(1)
  .max(REPO_CHARACTERS_MAX)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })

const repo = repoName.default(DEFAULT_REPO).meta({
  description: 'A repository, such as `acme/shop`, with its own paths.',
})

const Files = z
  .array(z.object({ path: z.string(), content: z.string() }))
  .max(FILES_PER_CALL_MAX)
  .superRefine((files, check) => {
    const seen = new Set<string>()
    for (const [i, { path }] of files.entries()) {
      if (seen.has(path))
        check.addIssue({
          code: 'custom',
          input: files,
          path: [i, 'path'],
          message: 'occurs twice; send each file once',
        })
      seen.add(path)
    }
  })

const plainLine = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })

const commitName = plainLine(100)

const History = z.object({
  latest: commitName.meta({ description: 'The name of the newest commit, such as its hash.' }),
  after: commitName.optional().meta({
    description:
      'Adds `commits` to the stored history if this is its newest commit. Without it, the stored history is replaced.',
  }),
  commits: z
    .array(
      z.object({
        subject: plainLine(SUBJECT_CHARACTERS_MAX),
        paths: z.array(plainLine(1_000)).max(PATHS_PER_COMMIT_MAX),
      }),
    )
    .max(HISTORY_COMMITS_MAX)
    .meta({ description: 'The newest first, with the files that each commit changed.' }),
})
export type SentHistory = z.output<typeof History>

export const IndexRequest = z.object({
  repo,
  files: Files.meta({
    description: `At most ${FILES_PER_CALL_MAX} per call. Files at indexed paths are replaced. Unchanged files cost nothing.`,
  }),
  history: History.optional().meta({
    description: `Commits, for searches for a change. The newest ${HISTORY_COMMITS_MAX} are kept. Free.`,
  }),
  preview: z.boolean().optional().meta({
    description: 'Return what would be indexed, skipped and charged, without storing or charging anything.',
  }),
  maxCostMinor: minor(0n).optional().meta({
    description: 'A call that would cost more is rejected and costs nothing.',
  }),
})
export type IndexRequest = z.output<typeof IndexRequest>

const HistoryReply = z.object({
  outcome: z.enum(['stored', 'unchanged', 'base_differs', 'no_files']).meta({
    description:
      'base_differs: `after` is not the newest stored commit; send the whole history. no_files: no file is indexed.',
  }),
  commits: z.int().meta({ description: 'Number of stored commits.' }),
})
export type HistoryReply = z.input<typeof HistoryReply>

export const IndexReply = z
  .object({
    indexed: z.int().meta({ description: 'Files that this call indexed.' }),
    unchanged: z.int().meta({ description: 'Files indexed before with the same content. Free.' }),
    chunks: z.int().meta({ description: 'Number of chunks of the indexed files.' }),
    tokens: z.int().meta({ description: 'Embedded tokens, charged at the price of the open lane.' }),
    model: z.string().meta({ description: 'The embedding model.' }),
    skipped: z
      .array(
        z.object({
          path: z.string(),
          reason: z.enum([
            'invalid_path',
            'ignored',
            'vendored',
            'generated',
            'minified',
            'lockfile',
            'binary',
            'too_large',
            'empty',
            'secret',
          ]),
        }),
      )
      .meta({
        description:
          'Files that were not indexed, with the reason. Their earlier versions are removed from the index.',
      }),
    history: HistoryReply.optional().meta({ description: 'If the call has a history.' }),
    costMinor: minorOut,
    balanceMinor: minorOut,
  })
  .meta({ id: 'IndexReply' })
export type IndexReply = z.input<typeof IndexReply>

export const IndexState = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether this deployment can index files.' }),
    repo: z.string().meta({ description: 'The repository of the totals and paths.' }),
    chunks: z.int(),
    paths: z.array(z.string()).meta({
      description: `Sorted, at most ${PATHS_LISTED_MAX}. \`files\` is the total number.`,
    }),
    chunksByPath: z.array(z.int()).meta({ description: 'The number of chunks of each of `paths`.' }),
    digests: z.array(z.string()).meta({
      description: 'Of each of `paths`: the first 12 hexadecimal digits of its SHA-256.',
    }),
    files: z.int(),
    bytes: z.int(),
    model: z.string().meta({ description: 'The embedding model for new files.' }),
    updatedAt: timestamp.nullable(),
    history: z
      .object({ latest: z.string(), commits: z.int() })
      .nullable()
      .meta({ description: 'The newest commit and the number of commits of the stored history.' }),
    repositories: z
      .array(
        z.object({
          repo: z.string(),
          files: z.int(),
          chunks: z.int(),
          bytes: z.int(),
          updatedAt: timestamp,
        }),
      )
      .meta({ description: 'All indexed repositories, sorted by name.' }),
  })
  .meta({ id: 'IndexState' })

export const IndexQuery = z.object({ repo })
export type IndexQuery = z.output<typeof IndexQuery>

export const ClearQuery = z.object({
  repo,
  path: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'One path. Without it, the whole repository is removed.' }),
})
export type ClearQuery = z.output<typeof ClearQuery>
export const Cleared = z.object({
  cleared: z.int().meta({ description: 'Number of removed files.' }),
})

export const SearchRequest = z.object({
  repo,
  query: words(QUERY_CHARACTERS_MAX).meta({
    description: 'A question, an error message or a name.',
  }),
  limit: z.int().min(1).max(HITS_MAX).default(10),
  paths: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .optional()
    .meta({ description: 'Only paths with one of these prefixes, such as `src/`.' }),
  rewrite: z.boolean().default(false).meta({
    description: 'A model adds words to the query. Costs one call of the open lane.',
  }),
  maxCostMinor: minor(0n).optional().meta({ description: 'The maximum cost of `rewrite`.' }),
  preview: z.boolean().optional().meta({ description: 'Show the maximum cost of `rewrite` only.' }),
})
export type SearchRequest = z.output<typeof SearchRequest>

const RewriteReport = z.object({
  status: z.enum(['used', 'not_used', 'preview']),
  reason: z.enum(['no_hits', 'no_model', 'model_failed', 'unusable_answer']).nullable(),
  words: z.array(z.string()),
  maxCostMinor: minorOut,
  costMinor: minorOut,
  balanceMinor: minorOut,
})

export const SearchReply = z
  .object({
    hits: z.array(
      z.object({
        path: z.string(),
        startLine: z.int(),
        endLine: z.int(),
        content: z.string(),
        symbol: z.string().meta({ description: 'The name of the definition; empty if there is none.' }),
        score: z.number().meta({ description: 'From 0 to 1. Comparable only within one reply.' }),
        why: z.object({
          lexical: z.number().meta({ description: 'The BM25 score; 0 without a matching term.' }),
          vector: z
            .number()
            .meta({ description: 'The cosine similarity; 0 if the chunk is not among the nearest.' }),
          history: z.number().meta({ description: 'From 0 to 1: whether similar commits changed the file.' }),
        }),
      }),
    ),
    mode: z.enum(['vector', 'lexical']).meta({ description: 'lexical: by terms only.' }),
    rewrite: RewriteReport.optional(),
  })
  .meta({ id: 'SearchReply' })
export type SearchReply = z.input<typeof SearchReply>
