// Request and reply schemas of reviews and findings.
import { z } from 'zod'
import { minorOut, pageQuery, queryInteger, timestamp } from '../platform/http/shapes.ts'
import { ScanFinding } from '../scan/scan.ts'

const STATUSES = ['unadjudicated', 'confirmed', 'refuted', 'unproven'] as const
const repo = z
  .string()
  .min(1)
  .max(300)
  .optional()
  .meta({ description: 'Only this repository, as `owner/name`.' })

export const RunsQuery = z.object({ ...pageQuery(), repo })
export const FindingsQuery = z.object({
  ...pageQuery(),
  repo,
  status: z.enum(STATUSES).optional(),
  severity: z.enum(['error', 'warn', 'note']).optional(),
})
export const FindingParams = z.object({ id: z.string().max(100) })

const ReviewRun = z
  .object({
    id: z.string(),
    installationId: z.string(),
    repo: z.string(),
    pr: z.int(),
    headSha: z.string(),
    title: z.string(),
    isFork: z.boolean(),
    status: z.enum(['queued', 'running', 'completed', 'superseded', 'failed', 'skipped']),
    conclusion: z.enum(['success', 'neutral', 'failure']).nullable(),
    policy: z.enum(['off', 'errors', 'strict']),
    degraded: z
      .array(z.string())
      .meta({ description: 'Features that were unavailable because a permission is missing.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the review is incomplete; null when it is complete.' }),
    publishedAs: z.enum(['inline', 'annotations', 'comment', 'stored']).nullable(),
    files: z.int(),
    notReviewed: z.array(z.object({ path: z.string(), reason: z.string() })),
    notes: z.array(z.string()),
    counts: z.record(z.string(), z.number()),
    costMinor: minorOut,
    turns: z.int(),
    validation: z.looseObject({}).nullable(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'ReviewRun' })
export const RunsPage = z.object({ runs: z.array(ReviewRun), nextCursor: z.string().nullable() })

const Suggestion = z
  .object({
    startLine: z.int(),
    endLine: z.int(),
    replacement: z.string(),
    by: z.enum(['rule', 'model']),
    command: z.string(),
  })
  .meta({
    description:
      'A replacement of whole lines. It was applied to the commit: the finding disappears, and the command passes in the sandbox.',
  })

const ReviewFinding = ScanFinding.extend({
  id: z.string(),
  runId: z.string(),
  repo: z.string(),
  pr: z.int(),
  headSha: z.string(),
  status: z.enum(STATUSES),
  suggestion: Suggestion.nullable(),
  adjudicatedBy: z.enum(['person', 'model', 'history']).nullable(),
  adjudicatedLogin: z
    .string()
    .nullable()
    .meta({ description: 'The name of the person at the code host, for a verdict in a reply.' }),
  note: z.string().nullable(),
  evidence: z.looseObject({}).nullable(),
  creditedMinor: minorOut,
  createdAt: timestamp,
  adjudicatedAt: timestamp.nullable(),
}).meta({ id: 'ReviewFinding' })
export const FindingReply = ReviewFinding
export const FindingsPage = z.object({ findings: z.array(ReviewFinding), nextCursor: z.string().nullable() })

export const VerdictBody = z.object({
  verdict: z.enum(['confirmed', 'refuted', 'unproven']),
  note: z.string().max(2_000).nullable().optional(),
})
export const AdjudicationReply = z.object({
  finding: ReviewFinding,
  creditedMinor: minorOut.meta({ description: 'The refund that this call posted to the wallet.' }),
  balanceMinor: minorOut,
})

export const PrecisionQuery = z.object({
  scope: z.enum(['org', 'all']).default('org'),
  days: queryInteger(1, 3_650).default(90),
  minSample: queryInteger(1, 1_000_000).default(5),
})
const rate = z.number().min(0).max(1)
export const Precision = z
  .object({
    scope: z.enum(['org', 'all']),
    days: z.int(),
    findings: z.int(),
    confirmed: z.int(),
    refuted: z.int(),
    unadjudicated: z.int(),
    unproven: z.int(),
    falsePositiveRate: rate.nullable().meta({
      description: 'Refuted findings divided by confirmed and refuted findings; null without verdicts.',
    }),
    noisiestRules: z.array(
      z.object({ ruleId: z.string(), confirmed: z.int(), refuted: z.int(), falsePositiveRate: rate }),
    ),
  })
  .meta({ id: 'ReviewPrecision' })
