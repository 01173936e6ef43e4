// Request and reply shapes of research.
import { z } from 'zod'
import { type Id, isId } from '../kernel/ids.ts'
import { minor, minorOut, pageQuery, queryInteger, text, timestamp } from '../platform/http/shapes.ts'
import { projectFilter } from '../projects/projects.ts'
import { REQUIREMENTS } from './runs/availability.ts'
import { DEPTHS, FINDING_KINDS, LANE_MODES, type ResearchRunId } from './types.ts'

const QUESTION_CHARACTERS = 2_000
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
    description: 'The last `seq` that you have seen. Left out: `Last-Event-ID`, else from the beginning.',
  }),
})

export const ResearchConfig = z
  .object({
    available: z.boolean().meta({ description: 'Whether POST /research would start a run now.' }),
    missing: z.array(z.enum(REQUIREMENTS)).meta({
      description: 'What the deployment lacks for it; `budget`: the most that a run may spend pays for none.',
    }),
    enabled: z.boolean().meta({ description: 'False: switched off by the operator.' }),
    canFetchPages: z.boolean(),
    laneMode,
    budgetMinor: minorOut.meta({ description: 'What a run may spend unless you ask for less.' }),
    currency: z.string(),
    inFlightMax: count.meta({ description: 'How many runs your organisation may have under way.' }),
    inFlight: count.meta({ description: 'How many it has.' }),
    depths: z.array(
      z.object({
        depth,
        passes: count.meta({ description: 'How often it searches at most.' }),
        subquestions: count.meta({ description: 'Into how many parts the question is split at most.' }),
        pages: count.meta({ description: 'How many pages are read at most.' }),
        estimateMinor: minorOut.meta({ description: 'What a usual run costs.' }),
        maxMinor: minorOut.meta({ description: 'What it costs at most at the prices of now.' }),
        leastMinor: minorOut.meta({
          description: 'The least budget for a question of a few lines; for a longer one it is more.',
        }),
        minutesMax: count.meta({ description: 'By then it has its report.' }),
      }),
    ),
  })
  .meta({ id: 'ResearchConfig' })

export const NewResearch = z.object({
  question: z.string().trim().min(1).max(QUESTION_CHARACTERS),
  depth: depth.default('standard'),
  projectId: text(ID_CHARACTERS)
    .optional()
    .meta({ description: 'Where the files of the report go; only who sees the project sees the run.' }),
  conversationId: z
    .custom<Id<'thr'>>((value) => typeof value === 'string' && isId('thr', value), {
      error: 'must be the id of a conversation',
    })
    .optional()
    .meta({
      wire: { type: 'string' },
      description: 'The id (`thr_…`) of a conversation of yours that the report is added to.',
    }),
  budgetMinor: minor(0n).optional().meta({
    description: 'The most it may cost. More than the ceiling of the platform counts as the ceiling.',
  }),
})

export const ResearchStarted = z
  .object({ id: z.string(), status, depth, budgetMinor: minorOut, laneMode })
  .meta({ id: 'ResearchStarted' })

export const ResearchSummary = z
  .object({
    id: z.string(),
    status: status.meta({
      description: '`cancelled` at once; `finishedAt` follows when the turn that was under way is over.',
    }),
    stopReason: stopReason
      .nullable()
      .meta({ description: 'Why it stopped, or is about to write its report. Null while it goes on.' }),
    phase,
    question: z.string(),
    depth,
    laneMode,
    budgetMinor: minorOut,
    spentMinor: minorOut,
    refundedMinor: minorOut.meta({
      description: 'Given back because there was no report through our fault.',
    }),
    userId: z.string().meta({ description: 'Who started it.' }),
    projectId: z.string().nullable(),
    conversationId: z.string().nullable(),
    errorCode: z.string().nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'ResearchSummary' })

export const ResearchPage = z.object({ runs: z.array(ResearchSummary), nextCursor: z.string().nullable() })

const n = z.int().min(1).meta({ description: 'The number by which the report cites it.' })
const sourceStatus = z.enum(['read', 'failed', 'skipped'])
const reason = z
  .string()
  .nullable()
  .meta({ description: 'Why it was not read.', examples: ['http_403'] })
const finding = z.object({
  id: z.string().meta({ examples: ['F1'] }),
  claim: z.string(),
  quote: z.string().meta({ description: 'Stands so in the text of each of the sources.' }),
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
  pass: count.meta({ description: 'In which search it was found.' }),
  finalUrl: z.string().nullable().meta({ description: 'Where redirects led to.' }),
  contentType: z.string().nullable(),
  language: z.string().nullable(),
  publishedOn: z.string().nullable(),
  sha256: z.string().nullable().meta({ description: 'Of the text that was read.' }),
  characters: count.nullable(),
  isCut: z.boolean().meta({ description: 'Longer than what was kept of it.' }),
  fetchedAt: timestamp.nullable(),
})

export const ResearchRun = ResearchSummary.extend({
  asideMinor: minorOut.meta({ description: 'What of the budget was kept for the report.' }),
  turns: count.meta({ description: 'Model turns that were charged.' }),
  plan: z.object({ subquestions: z.array(z.string()) }).meta({ description: 'Empty until it is planned.' }),
  sources: z.array(source),
  findings: z.array(
    finding.extend({
      kind: z.enum(FINDING_KINDS),
      subquestion: count.meta({ description: 'Its place in the plan, from 0.' }),
    }),
  ),
  report: z
    .object({ files: z.array(file) })
    .nullable()
    .meta({ description: 'Null while there is none.' }),
}).meta({ id: 'ResearchRun' })

export const ResearchSourceText = source
  .extend({ text: z.string().meta({ description: 'What quotes were held against.' }) })
  .meta({ id: 'ResearchSourceText' })

const frame = {
  seq: z.int().min(1).meta({ description: 'Counts the frames of a run from 1.' }),
  at: timestamp,
}

export const ResearchFrame = z.union([
  z.object({ ...frame, kind: z.literal('phase'), phase, pass: count.optional() }),
  z.object({
    ...frame,
    kind: z.literal('plan'),
    subquestions: z.array(z.string()),
    by: z.enum(['model', 'rules']),
  }),
  z.object({
    ...frame,
    kind: z.literal('search'),
    pass: count,
    query: z.string(),
    hits: count,
    trouble: z.string().nullable().meta({ description: 'Why it was not answered.' }),
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
    purpose: z.enum(['plan', 'extract', 'gap', 'report', 'repair']),
    lane,
    model: z.string(),
    tokens: count,
    costMinor: minorOut,
    spentMinor: minorOut.meta({ description: 'By the whole run until now.' }),
  }),
  z.object({ ...frame, kind: z.literal('warning'), code: z.string(), message: z.string() }),
  z.object({ ...frame, kind: z.literal('report'), files: z.array(file) }),
  z.object({ ...frame, kind: z.literal('done'), status, stopReason, spentMinor: minorOut, run: ResearchRun }),
])
