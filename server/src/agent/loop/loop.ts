// The loop: plan, edit, verify, retry, until the tests pass or going on is not worth it. Every iteration is held before it is
// asked and charged when it is stored, so whatever happens in between, no iteration is lost, doubled or paid without result.
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Committed, Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { tellFinished } from '../finished.ts'
import { keepAlive } from '../heartbeat.ts'
import { prepare } from '../prepare.ts'
import { quotedWork, withinQuote } from '../promise.ts'
import { requireSandbox } from '../sandbox/sandbox.ts'
import { beginLoop } from './at-once.ts'
import { earlierOutcome } from './earlier.ts'
import { iterate, testsOf } from './iteration.ts'
import { iterationsFor } from './limits.ts'
import { narrate } from './narration.ts'
import { orgStopReason } from './org-status.ts'
import { commitEnd } from './outcome.ts'
import type { LoopFrame, LoopRequest, StopReason } from './schema.ts'
import * as sql from './sql.ts'
import { type Loop, type Plan, startingState } from './state.ts'
import { createStops, Stopped } from './stops.ts'
import { runBaseline } from './verify.ts'
import { stateHash, workspaceOf } from './workspace.ts'

/** Runs a loop to its end and commits its last frame. What can be refused is refused before the stream is opened. */
export async function runLoop(
  app: App,
  actor: Actor,
  request: LoopRequest,
  once: Once,
  open: () => EventStream,
): Promise<Committed<LoopFrame>> {
  const earlier = await earlierOutcome(app, actor, once, open)
  if (earlier) return earlier
  await requireSandbox(app, request.sandbox)
  const maxIterations = iterationsFor(actor.org.tier, request.maxIters)
  const quoted = quotedWork(actor, request, maxIterations)
  const prepared = await withinQuote(app, quoted, await prepare(app, actor, request, maxIterations))
  const base = workspaceOf(request.context ?? [])
  const stops = createStops(app)
  const plan = { id: newId('agr'), actor, request, once, open, prepared, maxIterations, base, stops }
  return finish(begin(app, plan))
}

const MUTE = narrate({ send: async () => undefined })

const begin = (app: App, plan: Plan): Loop => ({
  app,
  plan,
  state: startingState(plan.base),
  narration: MUTE,
})

async function finish(loop: Loop): Promise<Committed<LoopFrame>> {
  const { app, plan } = loop
  const beats = keepAlive(app, plan.actor.orgId, plan.id, plan.once)
  try {
    return await commitEnd(loop, await work(loop))
  } catch (error) {
    await noteFailure(app, plan, error)
    throw error
  } finally {
    clearInterval(beats)
    plan.stops.clear()
  }
}

/** What cannot be noted now is found by whoever looks after runs that have fallen silent. */
async function noteFailure(app: App, { id, actor }: Plan, error: unknown): Promise<void> {
  const code = error instanceof ApiError ? error.code : 'internal'
  await app.db
    .tx(actor.orgId, async (tx) => tellFinished(tx, await sql.failLoop(tx, actor.orgId, id, code)))
    .catch((failure) => app.log.warn({ err: failure, runId: id }, 'agent.loop.finish_failed'))
}

/** All iterations there are to be. What is reached when one fails is an outcome, unless there is nothing yet. */
async function work(loop: Loop): Promise<StopReason> {
  const { app, plan, state } = loop
  const { actor, prepared } = plan
  try {
    for (let turn = 1; turn <= plan.maxIterations; turn++) {
      const stop =
        plan.stops.reason() ?? (turn === 1 ? null : await orgStopReason(app, actor.orgId, prepared.route))
      if (stop) return stop
      const end = await iterate(loop, turn === 1 ? () => opened(loop) : undefined)
      if (end) return end
    }
    return 'max_iters'
  } catch (error) {
    const reason = error instanceof Stopped ? error.reason : outcomeOf(loop, error)
    if (reason === null || (reason === 'interrupted' && state.iterations === 0)) throw refusalOf(error)
    return reason
  }
}

/** The money of the first turn is held: from now on there is a run, a stream and somebody who may go. */
async function opened(loop: Loop): Promise<void> {
  const { app, plan, state } = loop
  const { id, actor, request, prepared, maxIterations, once, base } = plan
  const { lane, model } = prepared.route
  const { sandbox, prompt, testCmd = null } = request
  const { orgId, userId } = actor
  // Before the stream, so that one too many is refused with a status.
  await app.db.tx(orgId, (tx) =>
    beginLoop(tx, actor.org.tier, {
      ...{ id, orgId, userId, prompt, lane, model, sandbox, maxIterations },
      kind: 'loop',
      intentId: once.id,
      testCommand: testCmd,
    }),
  )
  const stream = plan.open()
  plan.stops.watch(stream.closed)
  loop.narration = narrate(stream)
  await loop.narration.say({ start: { id, lane, model, sandbox, maxIters: maxIterations } })
  const judged = sandbox === 'none' ? null : await baseline(loop)
  const { signature = 'not run', failing = Number.POSITIVE_INFINITY } = judged ?? {}
  state.tried.push({ stateHash: stateHash(base, base), signature, failing, workspace: base, judged })
  const stop = plan.stops.reason()
  if (stop) throw new Stopped(stop)
}

async function baseline(loop: Loop) {
  const judged = await runBaseline(loop)
  await loop.narration.step({
    step: 'verify',
    turn: 0,
    ok: judged.passes,
    costMinor: 0n,
    note: judged.passes ? 'The tests pass before anything is changed.' : 'Before anything is changed.',
    ...testsOf(judged),
    ...(!judged.passes && { excerpt: judged.excerpt }),
  })
  return judged
}

const REASONS: Readonly<Record<string, StopReason>> = {
  insufficient_funds: 'balance',
  member_cap_reached: 'balance',
  budget_too_low: 'budget',
  prompt_too_long: 'budget',
  upstream_failed: 'upstream_error',
  upstream_unavailable: 'upstream_error',
  upstream_refused: 'upstream_error',
}

/** Why a loop ends that met this; null when it is no end but a failure. */
function outcomeOf({ plan, state }: Loop, error: unknown): StopReason | null {
  if (!(error instanceof ApiError)) return null
  const reason = REASONS[error.code] ?? null
  const stop = reason === null ? null : plan.stops.reason()
  if (stop) return stop
  return state.iterations === 0 ? null : reason
}

const refusalOf = (error: unknown): unknown =>
  error instanceof Stopped ? new ApiError('upstream_unavailable') : error
