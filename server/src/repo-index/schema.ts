// The shapes of the code index.
import { z } from 'zod'
import { minor, minorOut, timestamp, words } from '../platform/http/shapes.ts'
import {
  FILES_PER_CALL_MAX,
  HITS_MAX,
  PATHS_LISTED_MAX,
  QUERY_CHARACTERS_MAX,
  REPO_CHARACTERS_MAX,
  REPOS_PER_ORG_MAX,
} from './limits.ts'
import { DEFAULT_REPO } from './repo-key.ts'

/** The name of a repository, as callers give it. */
export const repoName = z
  .string()
  .trim()
  .min(1)
  .max(REPO_CHARACTERS_MAX)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })

const repo = repoName.default(DEFAULT_REPO).meta({
  description: `The repository, such as \`acme/shop\`. Paths are unique within a repository, never across repositories. An organisation can index ${REPOS_PER_ORG_MAX}.`,
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
          message: 'is there twice; send each file once',
        })
      seen.add(path)
    }
  })

export const IndexRequest = z.object({
  repo,
  files: Files.meta({
    description: `At most ${FILES_PER_CALL_MAX} in a call. A path that is indexed already is replaced; a file that is as it was costs nothing.`,
  }),
  preview: z.boolean().optional().meta({
    description: 'Say what would be indexed, skipped and charged; nothing is stored and nothing charged.',
  }),
  maxCostMinor: minor(0n).optional().meta({
    description: 'The most that this call may cost; where it would be more, it is refused and costs nothing.',
  }),
})
export type IndexRequest = z.output<typeof IndexRequest>

export const IndexReply = z
  .object({
    indexed: z.int().meta({ description: 'Files that were embedded now.' }),
    unchanged: z.int().meta({ description: 'Files that are indexed as they are; they cost nothing.' }),
    chunks: z.int().meta({ description: 'Pieces that the indexed files were cut into.' }),
    tokens: z.int().meta({ description: 'What was embedded and is charged at the price of the open lane.' }),
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
      .meta({ description: 'Files that are not indexed, and why. What was indexed of them before is gone.' }),
    costMinor: minorOut,
    balanceMinor: minorOut,
  })
  .meta({ id: 'IndexReply' })
export type IndexReply = z.input<typeof IndexReply>

export const IndexState = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether files can be indexed here.' }),
    repo: z.string().meta({ description: 'The repository that the figures and paths are about.' }),
    chunks: z.int(),
    paths: z.array(z.string()).meta({
      description: `Sorted; the first ${PATHS_LISTED_MAX} where there are more, and \`files\` says how many there are.`,
    }),
    chunksByPath: z
      .array(z.int())
      .meta({ description: 'How many pieces each of `paths` was cut into, in the same order.' }),
    digests: z.array(z.string()).meta({
      description:
        'The first 12 hexadecimal digits of the SHA-256 of each of `paths` as it was sent, in the same order.',
    }),
    files: z.int(),
    bytes: z.int(),
    model: z.string().meta({ description: 'The embedding model that the next files are indexed with.' }),
    updatedAt: timestamp.nullable(),
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
      .meta({ description: 'All repositories that have indexed files, by name.' }),
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
    .meta({ description: 'One path; without it the whole repository is removed.' }),
})
export type ClearQuery = z.output<typeof ClearQuery>
export const Cleared = z.object({
  cleared: z.int().meta({ description: 'How many files were removed; 0 where there was none.' }),
})

export const SearchRequest = z.object({
  repo,
  query: words(QUERY_CHARACTERS_MAX).meta({
    description: 'A question, an error, a name: what is looked for.',
  }),
  limit: z.int().min(1).max(HITS_MAX).default(10),
  paths: z
    .array(z.string().min(1).max(1_000))
    .max(20)
    .optional()
    .meta({ description: 'Only what begins with one of these, such as `src/wallet/`.' }),
})
export type SearchRequest = z.output<typeof SearchRequest>

export const SearchReply = z
  .object({
    hits: z.array(
      z.object({
        path: z.string(),
        startLine: z.int(),
        endLine: z.int(),
        content: z.string(),
        symbol: z.string().meta({ description: 'What is defined there; empty where nothing is.' }),
        score: z.number().meta({ description: 'From 0 to 1, for comparison within one answer.' }),
        why: z.object({
          lexical: z.number().meta({ description: 'How well its words fit (BM25); 0 where they do not.' }),
          vector: z
            .number()
            .meta({ description: 'How near its meaning is (cosine); 0 where it was not among the nearest.' }),
        }),
      }),
    ),
    mode: z
      .enum(['vector', 'lexical'])
      .meta({ description: 'Lexical: by words alone, because there are no vectors to compare.' }),
  })
  .meta({ id: 'SearchReply' })
export type SearchReply = z.input<typeof SearchReply>
