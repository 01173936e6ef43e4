// The loop: plan, edit, verify, retry, until the tests pass or another attempt is not worth it. Every iteration is
// held before the model is called and charged when it is stored, so none is lost, charged twice or charged without a
// result.

import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { LEASE } from '../../kernel/lease.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply } from '../../platform/http/idempotency/idempotency.ts'
import { requireSandbox } from '../../sandbox/sandbox.ts'
import { prepareRun } from '../quote/prepare.ts'
import { usualCostOfWork } from '../quote/quote.ts'
import { applyQuoteCap, toQuotedWork } from '../quote/quote-cap.ts'
import { checkOrgStatus, emitRunFinished, superviseRun } from '../run/lifecycle.ts'
import { hashState, toWorkspace } from '../run/workspace.ts'
import { insertRun, type NewAgentRun } from '../sql.ts'
import { runIteration, toTestCounts } from './iteration.ts'
import { maxConcurrentLoops, maxIterationsFor } from './limits.ts'
import { commitEnd, replayOutcome } from './outcome.ts'
import { createProgressStream } from './progress-stream.ts'
import type { LoopFrame, LoopRequest, LoopStopReason } from './schema.ts'
import * as sql from './sql.ts'
import { type AgentLoop, createLoopState, type LoopPlan } from './state.ts'
import { createLoopStopSignals, LoopStopped } from './stops.ts'
import { runBaseline } from './verify.ts'

/** Runs a loop to its end and commits its last frame. Refusals happen before the stream opens. */
export async function runLoop(
  app: App,
  actor: Actor,
  request: LoopRequest,
  { once, open, requestId }: Pick<LoopPlan, 'once' | 'open' | 'requestId'>,
): Promise<CommittedReply<LoopFrame>> {
  const earlier = await replayOutcome(app, actor, once, open)
  if (earlier) return earlier
  await requireSandbox(app, request.sandbox)
  const maxIterations = maxIterationsFor(actor.org.tier, request.maxIters)
  const quoted = toQuotedWork(actor, request, maxIterations)
  const prepared = await applyQuoteCap(app, quoted, await prepareRun(app, actor, request, maxIterations))
  const base = toWorkspace(request.context ?? [])
  const stops = createLoopStopSignals(app)
  const fixed = { actor, request, requestId, once, open, prepared, maxIterations, base, stops }
  return finishLoop(createLoop(app, { id: newId('agr'), ...fixed }))
}

const NO_STREAM = createProgressStream({ send: async () => undefined })

const createLoop = (app: App, plan: LoopPlan): AgentLoop => ({
  app,
  plan,
  state: createLoopState(plan.base),
  progressStream: NO_STREAM,
})

async function finishLoop(loop: AgentLoop): Promise<CommittedReply<LoopFrame>> {
  const { app, plan } = loop
  const { id, once, stops } = plan
  const endSupervision = superviseRun(app, { orgId: plan.actor.orgId, id, once }, stops.stop)
  try {
    return await commitEnd(loop, await runIterations(loop))
  } catch (error) {
    await recordFailure(app, plan, error)
    throw error
  } finally {
    endSupervision()
    stops.clear()
  }
}

/** If this fails, the sweeper ends the run after its heartbeat times out. */
async function recordFailure(app: App, { id, actor }: LoopPlan, error: unknown): Promise<void> {
  const code = error instanceof ApiError ? error.code : 'internal'
  await app.db
    .tx(actor.orgId, async (tx) => emitRunFinished(tx, await sql.failLoop(tx, actor.orgId, id, code)))
    .catch((failure) => app.log.warn({ err: failure, runId: id }, 'agent.loop.finish_failed'))
}

/** Runs all iterations. After the first one, an error ends the loop with its current result. */
async function runIterations(loop: AgentLoop): Promise<LoopStopReason> {
  const { app, plan, state } = loop
  const { actor, prepared } = plan
  try {
    for (let turn = 1; turn <= plan.maxIterations; turn++) {
      const stop =
        plan.stops.reason() ?? (turn === 1 ? null : await checkOrgStatus(app, actor.orgId, prepared.route))
      if (stop) return stop
      const end = await runIteration(loop, turn === 1 ? () => openLoop(loop) : undefined)
      if (end) return end
    }
    return 'max_iters'
  } catch (error) {
    const reason = error instanceof LoopStopped ? error.reason : toStopReason(loop, error)
    if (reason === null || (reason === 'interrupted' && state.iterations === 0)) throw toThrownError(error)
    return reason
  }
}

/** Called when the hold of the first turn exists: stores the run, opens the stream and runs the baseline. */
async function openLoop(loop: AgentLoop): Promise<void> {
  const { app, plan, state } = loop
  const { id, actor, request, prepared, maxIterations, once, base } = plan
  const { lane, model } = prepared.route
  const { sandbox, prompt, testCmd = null } = request
  const { orgId, userId } = actor
  // Before the stream opens, so that the limit is refused with a status code.
  await app.db.tx(orgId, (tx) =>
    admitLoop(tx, actor.org.tier, {
      ...{ id, orgId, userId, prompt, lane, model, sandbox, maxIterations },
      kind: 'loop',
      intentId: once.id,
      testCommand: testCmd,
    }),
  )
  const { maxMinor } = prepared.budget
  const usuallyMinor = await usualCostOfWork(app, actor, prepared, 'loop', prepared.budget)
  const stream = plan.open()
  plan.stops.watch(stream.closed)
  loop.progressStream = createProgressStream(stream)
  await loop.progressStream.send({
    start: { id, lane, model, sandbox, maxIters: maxIterations, maxMinor, usuallyMinor },
  })
  const verdict = sandbox === 'none' ? null : await reportBaseline(loop)
  const { signature = 'not run', failing = Number.POSITIVE_INFINITY } = verdict ?? {}
  state.attempts.push({
    stateHash: hashState(base, base),
    signature,
    failing,
    workspace: base,
    verdict,
  })
  const stop = plan.stops.reason()
  if (stop) throw new LoopStopped(stop)
}

async function reportBaseline(loop: AgentLoop) {
  const verdict = await runBaseline(loop)
  await loop.progressStream.step({
    step: 'verify',
    turn: 0,
    ok: verdict.passes,
    costMinor: 0n,
    note: verdict.passes ? 'The tests pass before anything is changed.' : 'Before anything is changed.',
    ...toTestCounts(verdict),
    ...(!verdict.passes && { excerpt: verdict.excerpt }),
  })
  return verdict
}

const REASONS: Readonly<Record<string, LoopStopReason>> = {
  insufficient_funds: 'balance',
  member_cap_reached: 'balance',
  key_budget_exceeded: 'balance',
  budget_too_low: 'budget',
  prompt_too_long: 'budget',
  upstream_failed: 'upstream_error',
  upstream_unavailable: 'upstream_error',
  upstream_refused: 'upstream_error',
}

/** The stop reason for an error, or null if the loop failed. */
function toStopReason({ plan, state }: AgentLoop, error: unknown): LoopStopReason | null {
  if (!(error instanceof ApiError)) return null
  const reason = REASONS[error.code] ?? null
  const stop = reason === null ? null : plan.stops.reason()
  if (stop) return stop
  return state.iterations === 0 ? null : reason
}

const toThrownError = (error: unknown): unknown =>
  error instanceof LoopStopped ? new ApiError('upstream_unavailable') : error

/** Stores a new loop. Refuses it if the organisation has as many as its plan allows. */
export async function admitLoop(tx: Tx, tier: string, run: NewAgentRun): Promise<void> {
  await tx.lock(`loops ${run.orgId}`)
  const silentSince = before(tx.now, LEASE)
  const most = maxConcurrentLoops(tier)
  if ((await sql.countLiveLoops(tx, run.orgId, silentSince)) >= most)
    throw new ApiError('too_many_loops', { most })
  await insertRun(tx, run)
}
