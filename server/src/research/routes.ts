// Routes of research, in the order of typical use.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { cancelResearch, deleteResearch } from './runs/cancel-delete-run.ts'
import { listResearch, readResearch, readSource } from './runs/read-run.ts'
import { readResearchConfig } from './runs/research-config.ts'
import { answerResearch, approvePlan } from './runs/resume-run.ts'
import { startRun } from './runs/start-run.ts'
import { streamResearch } from './runs/stream-run.ts'
import {
  Answer,
  ApprovedPlan,
  BODY_BYTES_MAX,
  EmptyBody,
  NewFollowUp,
  NewResearch,
  ResearchConfig,
  ResearchFrame,
  ResearchPage,
  ResearchRun,
  ResearchSourceText,
  ResearchStarted,
  ResearchSummary,
  RunParams,
  RunsQuery,
  SourceParams,
  StreamQuery,
} from './schema.ts'

const access = 'any'
const RESUME_ERRORS = [
  'insufficient_funds',
  'member_cap_reached',
  'project_editor_only',
  'research_not_waiting',
  'too_many_research_runs',
] as const

export const researchRoutes = [
  route('research.config', 'GET /research/config', {
    summary: 'Show whether research is available, and the limits and prices of each depth.',
    access,
    rate: 'global',
    reply: { 200: ResearchConfig },
    handle: ({ app, actor }) => readResearchConfig(app, actor),
  }),

  route('research.start', 'POST /research', {
    summary: 'Start a research run that answers a question from the web with a cited report.',
    detail:
      'The run continues in the background: follow its stream or poll it. Model turns with a usable result are charged, up to the budget; searches are free. Money for the report is reserved at the start, so a run that reaches its budget or time limit still writes one. Send an Idempotency-Key so that a retry returns the same run.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    bodyLimitBytes: BODY_BYTES_MAX,
    body: NewResearch,
    reply: { 202: ResearchStarted },
    errors: [
      'insufficient_funds',
      'member_cap_reached',
      'budget_too_low',
      'project_editor_only',
      'not_found',
      'too_many_research_runs',
      'too_many_attempts',
      'research_unavailable',
      'residency_blocked',
      'inference_not_configured',
    ],
    handle: ({ app, actor, body, once }) => startRun(app, actor, body, once),
  }),

  route('research.followUp', 'POST /research/{id}/follow-ups', {
    summary: 'Ask a further question about a finished run.',
    detail:
      'Starts another run, which begins with the pages of the earlier one. It has its own budget, report and stream. Set `searchWeb` to false to use only those pages. In a project, it stays in that project.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    bodyLimitBytes: BODY_BYTES_MAX,
    params: RunParams,
    body: NewFollowUp,
    reply: { 202: ResearchStarted },
    errors: [
      'insufficient_funds',
      'member_cap_reached',
      'budget_too_low',
      'project_editor_only',
      'research_running',
      'too_many_research_runs',
      'too_many_attempts',
      'research_unavailable',
      'residency_blocked',
      'inference_not_configured',
    ],
    handle: ({ app, actor, params, body, once }) => startRun(app, actor, body, once, params.id),
  }),

  route('research.answer', 'POST /research/{id}/answer', {
    summary: 'Answer the clarifying question of a run, which then continues.',
    detail: 'Reserves the money for the report again. In a project, only editors may answer.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    audit: true,
    params: RunParams,
    body: Answer,
    reply: { 200: ResearchSummary },
    errors: RESUME_ERRORS,
    handle: ({ app, actor, params, body, request, once }) =>
      answerResearch(app, actor, { id: params.id, request, once }, body.answer),
  }),

  route('research.plan', 'POST /research/{id}/plan', {
    summary: 'Approve the plan of a run, or replace it. The run then continues.',
    detail: 'Reserves the money for the report again. In a project, only editors may approve.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    audit: true,
    params: RunParams,
    body: ApprovedPlan,
    reply: { 200: ResearchSummary },
    errors: RESUME_ERRORS,
    handle: ({ app, actor, params, body, request, once }) =>
      approvePlan(app, actor, { id: params.id, request, once }, body.subquestions),
  }),

  route('research.list', 'GET /research', {
    summary: 'List the research runs that you can see, newest first.',
    detail: 'Runs are kept for a year. A run in a project is visible to those who see the project.',
    access,
    rate: 'global',
    query: RunsQuery,
    reply: { 200: ResearchPage },
    errors: ['not_found'],
    handle: ({ app, actor, query }) => listResearch(app, actor, query),
  }),

  route('research.get', 'GET /research/{id}', {
    summary: 'Show a run with its plan, sources, findings and report files.',
    detail: 'Sources are listed when they are read, failed or skipped.',
    access,
    rate: 'global',
    params: RunParams,
    reply: { 200: ResearchRun },
    handle: ({ app, actor, params }) => readResearch(app, actor, params.id),
  }),

  route('research.source', 'GET /research/{id}/sources/{n}', {
    summary: 'Show the stored text of a source, to verify quotes.',
    detail: '`sha256` is the hash of the text in UTF-8. Only sources that were read have a text.',
    access,
    rate: 'global',
    params: SourceParams,
    reply: { 200: ResearchSourceText },
    handle: ({ app, actor, params }) => readSource(app, actor, params),
  }),

  route('research.stream', 'GET /research/{id}/stream', {
    summary: 'Follow a run: past events first, then new ones until it is done.',
    detail:
      'Closing the stream does not stop the run. A stream lasts at most 30 minutes; reconnect with the last `seq` as `after`. The last frame is `done` and contains the whole run.',
    access,
    rate: 'global',
    params: RunParams,
    query: StreamQuery,
    stream: ResearchFrame,
    handle: ({ app, actor, params, query, request, open }) =>
      streamResearch(app, actor, { id: params.id, after: query.after }, { request, open }),
  }),

  route('research.cancel', 'POST /research/{id}/cancel', {
    summary: 'Cancel a run.',
    detail:
      'No further work starts. The current model turn is finished and charged. The reply waits up to ten seconds for it; if `finishedAt` is null, it is still running. In a project, only editors may cancel a run.',
    access,
    rate: 'global',
    audit: true,
    params: RunParams,
    body: EmptyBody,
    reply: { 200: ResearchSummary },
    errors: ['project_editor_only', 'research_finished'],
    handle: ({ app, actor, params, request }) => cancelResearch(app, actor, params.id, request),
  }),

  route('research.delete', 'DELETE /research/{id}', {
    summary: 'Delete a finished run with its sources and events.',
    detail:
      'The report files and the ledger entries stay. Cancel a running run first. In a project, only editors may delete a run.',
    access,
    rate: 'global',
    audit: true,
    params: RunParams,
    reply: { 200: ok },
    errors: ['project_editor_only', 'research_running'],
    handle: ({ app, actor, params, request }) => deleteResearch(app, actor, params.id, request),
  }),
]
