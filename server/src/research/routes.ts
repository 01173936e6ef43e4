// Research: the endpoints, in the order a client meets them.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { cancelResearch, deleteResearch } from './runs/cancel-delete-run.ts'
import { listResearch, readResearch, readSource } from './runs/read-run.ts'
import { readResearchConfig } from './runs/research-config.ts'
import { startRun } from './runs/start-run.ts'
import { streamResearch } from './runs/stream-run.ts'
import {
  EmptyBody,
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

export const researchRoutes = [
  route('research.config', 'GET /research/config', {
    summary: 'Whether research can be done here, how far each depth goes, and what it costs.',
    access,
    rate: 'global',
    reply: { 200: ResearchConfig },
    handle: ({ app, actor }) => readResearchConfig(app, actor),
  }),

  route('research.start', 'POST /research', {
    summary: 'Start a run that answers a question from the web, with a cited report.',
    detail:
      'It goes on without you: follow it by its stream, or look again. Every model turn is charged when it has brought something, and never more than the budget in all; searches are not charged. Enough for the report is kept aside from the start, so a run that comes to the end of its budget or its time still writes one. Send an Idempotency-Key, and a retry finds the same run.',
    access,
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
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

  route('research.list', 'GET /research', {
    summary: 'The runs of your organisation that you may see, the newest first.',
    detail: 'Kept for a year. A run in a project is seen by those who see the project.',
    access,
    rate: 'global',
    query: RunsQuery,
    reply: { 200: ResearchPage },
    errors: ['not_found'],
    handle: ({ app, actor, query }) => listResearch(app, actor, query),
  }),

  route('research.get', 'GET /research/{id}', {
    summary: 'A run with its plan, its sources, what was found in them, and the files of its report.',
    detail: 'Sources that wait to be read are listed when it is decided what becomes of them.',
    access,
    rate: 'global',
    params: RunParams,
    reply: { 200: ResearchRun },
    handle: ({ app, actor, params }) => readResearch(app, actor, params.id),
  }),

  route('research.source', 'GET /research/{id}/sources/{n}', {
    summary: 'The text of a source as it was read, to hold a quote against.',
    detail: '`sha256` is that of the text in UTF-8. Sources that were not read have none.',
    access,
    rate: 'global',
    params: SourceParams,
    reply: { 200: ResearchSourceText },
    handle: ({ app, actor, params }) => readSource(app, actor, params),
  }),

  route('research.stream', 'GET /research/{id}/stream', {
    summary: 'Follow a run: what has happened so far, then what happens, until it is done.',
    detail:
      'Closing it stops nothing. A stream lasts half an hour at most; come back with the last `seq` as `after`. The last frame is `done` and has the whole run.',
    access,
    rate: 'global',
    params: RunParams,
    query: StreamQuery,
    stream: ResearchFrame,
    handle: ({ app, actor, params, query, request, open }) =>
      streamResearch(app, actor, { id: params.id, after: query.after }, { request, open }),
  }),

  route('research.cancel', 'POST /research/{id}/cancel', {
    summary: 'Cancel a run: nothing further is begun.',
    detail:
      'The model turn that is under way is finished and charged. The answer waits for it up to ten seconds; without `finishedAt` it is still going on. Of a run in a project this is for its editors.',
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
      'The files of its report stay, and what was charged stays in the ledger. Cancel a run that still goes on first. Of a run in a project this is for its editors.',
    access,
    rate: 'global',
    audit: true,
    params: RunParams,
    reply: { 200: ok },
    errors: ['project_editor_only', 'research_running'],
    handle: ({ app, actor, params, request }) => deleteResearch(app, actor, params.id, request),
  }),
]
