// The loop's endpoint.
import { route } from '../../platform/http/route.ts'
import { runLoop } from './loop.ts'
import { LoopFrame, LoopRequest } from './schema.ts'

const BODY_BYTES = 8 * 1024 * 1024

export const loopRoutes = [
  route('agent.runLoop', 'POST /agent/run-loop', {
    summary: 'Plan, edit, verify and retry until the tests pass, as a stream.',
    detail:
      'Each iteration is one model turn, charged when it is stored; `step` frames report the cost so far. An answer cut at its length limit is charged if part of it was sent as `delta`, and free otherwise. Close the connection to cancel: the turn in flight is finished and charged, no further turn begins, and the result is kept with `cancelled: true`. POST /agent/runs/{id}/stop also ends the turn in flight. With an `Idempotency-Key`, a retry gets that result instead of another run. A sandbox that cannot run your command ends the loop with `sandbox_failed`, and all its charges are refunded. `verified` is true only when your tests ran and passed twice, and no file that decides about them was changed (unless `allowTestEdits` is set); with the sandbox `none` it is always false. `evidence` tells why: `tests`, or only the `exit-code` of a command that failed before. A command that passed before any change and reports no tests proves nothing (`passed-before`, not verified). `maxIters` is capped by plan: individual 3, team 4, enterprise 6. Concurrent loops are limited to 2, 4 and 8.',
    access: { scope: 'agent:run' },
    paid: true,
    rate: 'global',
    idempotency: 'optional',
    isContent: true,
    body: LoopRequest,
    bodyLimitBytes: BODY_BYTES,
    stream: LoopFrame,
    errors: [
      'sandbox_unavailable',
      'prompt_too_long',
      'insufficient_funds',
      'member_cap_reached',
      'budget_too_low',
      'work_ended',
      'too_many_loops',
      'residency_blocked',
      'upstream_failed',
      'upstream_unavailable',
      'upstream_refused',
      'inference_not_configured',
    ],
    handle: ({ app, actor, body, once, open, request }) =>
      runLoop(app, actor, body, { once, open, requestId: request.id }),
  }),
]
