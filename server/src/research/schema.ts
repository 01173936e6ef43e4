// Request and reply schemas of research.
import { z } from 'zod'
import { type Id, isId } from '../kernel/ids.ts'
import { minor, minorOut, pageQuery, queryInteger, text, timestamp } from '../platform/http/shapes.ts'
import { projectFilter } from '../projects/projects.ts'
import { repoName } from '../repo-index/repo-index.ts'
import { QUESTION_CHARACTERS } from './engine/full-question.ts'
import { REQUIREMENTS } from './runs/availability.ts'
import { DEPTHS, FINDING_KINDS, LANE_MODES, type ResearchRunId, RUN_NEEDS } from './types.ts'

const DOCUMENTS_MAX = 20
const DOCUMENT_CHARACTERS = 4_000_000
const REPOSITORIES_MAX = 5
const SUBQUESTION_CHARACTERS = 300
/** Documents in base64 and their JSON. */
export const BODY_BYTES_MAX = 12 * 1024 * 1024
const ID_CHARACTERS = 100
const RUNS_PAGE_MAX = 100
const SEQ_MAX = 999_999_999_999_999

const count = z.int().min(0)
const depth = z.enum(DEPTHS)
const laneMode = z.enum(LANE_MODES)
const lane = z.enum(['open', 'frontier'])
const id = z.custom<ResearchRunId>((value) => typeof value === 'string' && isId('run', value))
const status = z.enum(['running', 'completed', 'cancelled', 'failed'])
const stopReason = z.enum(['completed', 'budget', 'wall_clock', 'cancelled', 'error'])
const phase = z.enum(['queued', 'plan', 'search', 'read', 'extract', 'gap', 'report', 'done'])

export const EmptyBody = z.object({})
export const RunParams = z.object({ id })
export const SourceParams = z.object({ id, n: queryInteger(1, 999_999_999) })
export const RunsQuery = z.object({ ...pageQuery(RUNS_PAGE_MAX), projectId: projectFilter })
export const StreamQuery = z.object({
  after: queryInteger(0, SEQ_MAX).optional().meta({
    description: 'The last `seq` that you received. Default: `Last-Event-ID`, otherwise the start.',
  }),
})

export const ResearchConfig = z
  .object({
    available: z.boolean().meta({ description: 'Whether POST /research can start a run now.' }),
    missing: z.array(z.enum(REQUIREMENTS)).meta({
      description:
        'The missing requirements of the deployment. `budget`: the budget ceiling is too low for any run.',
    }),
    enabled: z.boolean().meta({ description: 'False if the operator has disabled research.' }),
    canFetchPages: z.boolean(),
    laneMode,
    budgetMinor: minorOut.meta({ description: 'The default and maximum budget of a run.' }),
    currency: z.string(),
    inFlightMax: count.meta({ description: 'The most concurrent runs of your organisation.' }),
    inFlight: count.meta({ description: 'Its current runs.' }),
    depths: z.array(
      z.object({
        depth,
        passes: count.meta({ description: 'The most search passes.' }),
        subquestions: count.meta({ description: 'The most subquestions.' }),
        pages: count.meta({ description: 'The most pages that are read.' }),
        estimateMinor: minorOut.meta({ description: 'The cost of a typical run.' }),
        maxMinor: minorOut.meta({ description: 'The highest cost at current prices.' }),
        leastMinor: minorOut.meta({
          description: 'The smallest budget for a short question. A longer question needs more.',
        }),
        minutesMax: count.meta({ description: 'The longest duration of a run.' }),
      }),
    ),
  })
  .meta({ id: 'ResearchConfig' })

export const NewResearch = z.object({
  question: z.string().trim().min(1).max(QUESTION_CHARACTERS),
  depth: depth.default('standard'),
  projectId: text(ID_CHARACTERS).optional().meta({
    description: 'The project of the run and its report files. Only those who see the project see the run.',
  }),
  conversationId: z
    .custom<Id<'thr'>>((value) => typeof value === 'string' && isId('thr', value), {
      error: 'must be the id of a conversation',
    })
    .optional()
    .meta({
      wire: { type: 'string' },
      description: 'The id (`thr_…`) of your conversation that receives the report.',
    }),
  budgetMinor: minor(0n).optional().meta({
    description: 'The maximum cost. Values above the platform ceiling are lowered to it.',
  }),
  clarify: z.boolean().default(false).meta({
    description:
      'Let a model ask a clarifying question first, if the question is unclear. Its turn is charged.',
  }),
  approvePlan: z.boolean().default(false).meta({
    description: 'Wait until you approve the plan with POST /research/{id}/plan.',
  }),
  searchWeb: z.boolean().default(true).meta({
    description: 'False: use only your documents, repositories and the pages of the earlier run.',
  }),
  repositories: z.array(repoName).max(REPOSITORIES_MAX).default([]).meta({
    description: 'Names of indexed repositories (POST /repo/index) that are searched too.',
  }),
  documents: z
    .array(
      z.object({
        name: text(200).meta({ examples: ['contract.pdf'] }),
        content: z.string().min(1).max(DOCUMENT_CHARACTERS),
        encoding: z.enum(['text', 'base64']).default('text'),
      }),
    )
    .max(DOCUMENTS_MAX)
    .default([])
    .meta({
      description:
        'Your own text, HTML, PDF or DOCX documents. Each counts as a page of the run and is kept with it.',
    }),
})

const { projectId: _, ...followUpFields } = NewResearch.shape
export const NewFollowUp = z.object({ ...followUpFields, depth: depth.default('quick') })
export const Answer = z.object({ answer: z.string().trim().min(1).max(QUESTION_CHARACTERS) })
export const ApprovedPlan = z.object({
  subquestions: z
    .array(z.string().trim().min(1).max(SUBQUESTION_CHARACTERS))
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'The plan as you want it. Default: as proposed.' }),
})

export const ResearchStarted = z
  .object({ id: z.string(), status, depth, budgetMinor: minorOut, laneMode })
  .meta({ id: 'ResearchStarted' })

export const ResearchSummary = z
  .object({
    id: z.string(),
    status: status.meta({
      description: '`cancelled` immediately; `finishedAt` is set when the current turn ends.',
    }),
    stopReason: stopReason
      .nullable()
      .meta({ description: 'Why it stopped searching. Null while it is running.' }),
    phase,
    question: z.string(),
    depth,
    laneMode,
    budgetMinor: minorOut,
    spentMinor: minorOut,
    refundedMinor: minorOut.meta({
      description: 'Refunded because the run failed through our fault.',
    }),
    userId: z.string().meta({ description: 'The user who started it.' }),
    projectId: z.string().nullable(),
    conversationId: z.string().nullable(),
    followUpOf: z.string().nullable().meta({ description: 'The run that it follows.' }),
    needs: z.enum(RUN_NEEDS).nullable().meta({
      description:
        'Set while it waits for you: `answer` (POST /research/{id}/answer) or `approval` (POST /research/{id}/plan). Nothing is held meanwhile. After three days the run is cancelled.',
    }),
    errorCode: z.string().nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'ResearchSummary' })

export const ResearchPage = z.object({ runs: z.array(ResearchSummary), nextCursor: z.string().nullable() })

const n = z.int().min(1).meta({ description: 'The number that the report cites.' })
const sourceStatus = z.enum(['read', 'failed', 'skipped'])
const reason = z
  .string()
  .nullable()
  .meta({ description: 'Why it was not read.', examples: ['http_403'] })
const finding = z.object({
  id: z.string().meta({ examples: ['F1'] }),
  claim: z.string(),
  quote: z.string().meta({ description: 'Occurs verbatim in the text of each source.' }),
  sources: z.array(z.int()),
})
const file = z.object({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  bytes: count,
  url: z.string().meta({ examples: ['/attachments/att_01kab0000000000000000000aa'] }),
})

const source = z.object({
  n,
  url: z.string(),
  title: z.string(),
  status: sourceStatus,
  reason,
  pass: count.meta({ description: 'The search pass that found it.' }),
  finalUrl: z.string().nullable().meta({ description: 'The URL after redirects.' }),
  contentType: z.string().nullable(),
  language: z.string().nullable(),
  publishedOn: z.string().nullable(),
  sha256: z.string().nullable().meta({ description: 'Hash of the stored text.' }),
  characters: count.nullable(),
  isCut: z.boolean().meta({ description: 'Whether the stored text was cut.' }),
  fetchedAt: timestamp.nullable(),
})

export const ResearchRun = ResearchSummary.extend({
  asideMinor: minorOut.meta({ description: 'The part of the budget that is reserved for the report.' }),
  turns: count.meta({ description: 'Charged model turns.' }),
  searchWeb: z.boolean(),
  repositories: z.array(z.string()),
  clarification: z
    .object({ questions: z.array(z.string()), answer: z.string().nullable() })
    .nullable()
    .meta({ description: 'Null if no clarifying question was asked.' }),
  followUps: z
    .array(z.object({ id: z.string(), question: z.string(), status, createdAt: timestamp }))
    .meta({ description: 'Runs that follow this one, oldest first.' }),
  plan: z
    .object({ subquestions: z.array(z.string()) })
    .meta({ description: 'Empty until the plan is made.' }),
  sources: z.array(source),
  findings: z.array(
    finding.extend({
      kind: z.enum(FINDING_KINDS),
      subquestion: count.meta({ description: 'Its index in the plan, from 0.' }),
    }),
  ),
  report: z
    .object({ files: z.array(file) })
    .nullable()
    .meta({ description: 'Null until the report is published.' }),
}).meta({ id: 'ResearchRun' })

export const ResearchSourceText = source
  .extend({ text: z.string().meta({ description: 'The text that quotes were checked against.' }) })
  .meta({ id: 'ResearchSourceText' })

const frame = {
  seq: z.int().min(1).meta({ description: 'The number of the frame within its run, from 1.' }),
  at: timestamp,
}

export const ResearchFrame = z.union([
  z.object({ ...frame, kind: z.literal('phase'), phase, pass: count.optional() }),
  z.object({
    ...frame,
    kind: z.literal('plan'),
    subquestions: z.array(z.string()),
    by: z.enum(['model', 'rules', 'user']),
  }),
  z.object({
    ...frame,
    kind: z.literal('needs'),
    needs: z.enum(RUN_NEEDS),
    questions: z.array(z.string()),
  }),
  z.object({ ...frame, kind: z.literal('resumed'), answer: z.string().nullable() }),
  z.object({
    ...frame,
    kind: z.literal('search'),
    pass: count,
    query: z.string(),
    hits: count,
    trouble: z.string().nullable().meta({ description: 'Why the search failed.' }),
  }),
  z.object({
    ...frame,
    kind: z.literal('source'),
    n,
    url: z.string(),
    title: z.string(),
    status: sourceStatus,
    reason,
  }),
  finding.extend({ ...frame, kind: z.literal('finding') }),
  z.object({
    ...frame,
    kind: z.literal('turn'),
    purpose: z.enum(['clarify', 'plan', 'extract', 'gap', 'report', 'repair']),
    lane,
    model: z.string(),
    tokens: count,
    costMinor: minorOut,
    spentMinor: minorOut.meta({ description: 'The cost of the whole run so far.' }),
  }),
  z.object({ ...frame, kind: z.literal('warning'), code: z.string(), message: z.string() }),
  z.object({ ...frame, kind: z.literal('report'), files: z.array(file) }),
  z.object({ ...frame, kind: z.literal('done'), status, stopReason, spentMinor: minorOut, run: ResearchRun }),
])
