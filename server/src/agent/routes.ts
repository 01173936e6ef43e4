// The agent's endpoints for single runs, in the order a client uses them.
import { route } from '../platform/http/route.ts'
import { listRuns, readRun } from './history.ts'
import { quoteRun } from './quote/quote.ts'
import { runAgent } from './run/run.ts'
import { stopRun } from './run/stop-run.ts'
import {
  AgentRun,
  AgentRunFrame,
  AgentRunParams,
  AgentRunRequest,
  AgentRunResult,
  AgentRunsPage,
  AgentRunsQuery,
  EmptyBody,
  Quote,
  QuoteRequest,
  toLastFrame,
} from './schema.ts'

const BODY_BYTES = 8 * 1024 * 1024
const RUN_TIMEOUT_MS = 11 * 60_000

export const agentRoutes = [
  route('agent.quote', 'POST /agent/quote', {
    summary: 'Quote the cost of a run before it starts.',
    detail:
      'Takes the body of a run; `maxIters` or `sandbox` quotes a loop. No money is held. Prices may change after a quote: send `maxMinor` with the run to limit its cost.',
    access: { scope: 'agent:run' },
    rate: 'global',
    bodyLimitBytes: BODY_BYTES,
    body: QuoteRequest,
    reply: { 200: Quote },
    errors: ['prompt_too_long', 'residency_blocked', 'inference_not_configured'],
    handle: ({ app, actor, body }) => quoteRun(app, actor, body),
  }),

  route('agent.run', 'POST /agent/run', {
    summary: 'Return a plan and structured file edits for a prompt.',
    detail:
      'The maximum cost is held before the model is called; only the actual cost is charged, together with the stored result. A failed model call is free. Edits that do not match the files are requested a second time, within the same quote. With an Idempotency-Key, a retry gets the same result without a second charge. With `Accept: text/event-stream` the run is sent as it is made: `start` with its maximum and usual cost, `delta` with the text of plan and summary, a `step` after each answer, and last the `result`; a retry gets the last frame, or the plain reply. After a disconnect the turn in flight is finished and charged, no repair turn begins, and the result is kept. POST /agent/runs/{id}/stop ends a run.',
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    bodyLimitBytes: BODY_BYTES,
    timeoutMs: RUN_TIMEOUT_MS,
    body: AgentRunRequest,
    reply: { 200: AgentRunResult },
    errors: [
      'prompt_too_long',
      'insufficient_funds',
      'member_cap_reached',
      'budget_too_low',
      'residency_blocked',
      'upstream_failed',
      'upstream_unavailable',
      'upstream_refused',
      'inference_not_configured',
    ],
    streamForm: {
      frames: AgentRunFrame,
      lastFrame: toLastFrame,
      handle: ({ app, actor, body, once, open, request }) =>
        runAgent(app, actor, body, { once, open, requestId: request.id }),
    },
    handle: ({ app, actor, body, once, request }) =>
      runAgent(app, actor, body, { once, open: null, requestId: request.id }),
  }),

  route('agent.runs.list', 'GET /agent/runs', {
    summary: 'List the runs and loops of your organisation, newest first.',
    detail:
      'Runs are kept for 90 days. Long texts are truncated and edits have no contents; GET /agent/runs/{id} returns the whole run.',
    access: { scope: 'agent:run' },
    rate: 'global',
    query: AgentRunsQuery,
    reply: { 200: AgentRunsPage },
    handle: ({ app, actor, query }) => listRuns(app, actor, query),
  }),

  route('agent.runs.get', 'GET /agent/runs/{id}', {
    summary: 'Get a run or loop with its whole result.',
    access: { scope: 'agent:run' },
    rate: 'global',
    params: AgentRunParams,
    reply: { 200: AgentRun },
    handle: ({ app, actor, params }) => readRun(app, actor, params.id),
  }),

  route('agent.runs.stop', 'POST /agent/runs/{id}/stop', {
    summary: 'Stop a run or loop.',
    detail:
      'The call of the model is aborted, tests are killed, and no further turn begins. Text that was streamed to the client, and files that were complete, are kept and charged by the received tokens; otherwise the turn in flight is free. A loop keeps its earlier iterations. The reply waits up to ten seconds for the end of the run; if its `status` is `running`, it ends soon. A repeated stop has no further effect. Members stop their own runs; owners and administrators stop all of them.',
    access: { scope: 'agent:run' },
    rate: 'global',
    audit: true,
    params: AgentRunParams,
    body: EmptyBody,
    reply: { 200: AgentRun },
    errors: ['forbidden', 'run_finished'],
    handle: ({ app, actor, params, request }) => stopRun(app, actor, params.id, request),
  }),
]
