// One run: call the model, apply its edits, and store the result together with its charge. Nothing is charged that is
// not stored.
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type FinishedTurn, releaseTurn, runModelTurn, settleFinishedIn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { prepareRun } from '../quote/prepare.ts'
import { applyQuoteCap, toQuotedWork } from '../quote/quote-cap.ts'
import type { AgentRunRequest, AgentRunResult } from '../schema.ts'
import * as sql from '../sql.ts'
import type { ParsedAnswer } from './answer.ts'
import { parseAnswerWithSecrets } from './answer.ts'
import { emitRunFinished, endEarlierAttempts, startHeartbeat } from './lifecycle.ts'
import type { ActiveRun } from './repair.ts'
import { repairEdits } from './repair.ts'
import { type RunOutcome, toRunOutcome } from './result.ts'
import { reviewEdits } from './review.ts'

export async function runAgent(
  app: App,
  actor: Actor,
  body: AgentRunRequest,
  once: Once,
  requestId: string,
): Promise<CommittedReply<AgentRunResult>> {
  await endEarlierAttempts(app, actor.orgId, once)
  const active: ActiveRun = {
    id: newId('agr'),
    actor,
    requestId,
    body,
    prepared: await applyQuoteCap(
      app,
      toQuotedWork(actor, body, undefined),
      await prepareRun(app, actor, body),
    ),
    signal: AbortSignal.timeout(RUN_MS),
    taken: [],
  }
  const heartbeat = startHeartbeat(app, actor.orgId, active.id, once)
  try {
    const outcome = await runTurns(app, active, once)
    return await once.commit(actor.orgId, (tx) => storeOutcome(app, tx, active, once, outcome))
  } catch (error) {
    await releaseFailedRun(app, active, error)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

// Shorter than the timeout of the route, so that the client learns how the run ended.
const RUN_MS = 10.5 * 60_000

async function runTurns(app: App, active: ActiveRun, once: Once): Promise<RunOutcome> {
  const { prepared, body } = active
  const first = await takeFirstTurn(app, active, once)
  active.taken.push(first)
  if (first.answer.finish === 'stopped') throw new ApiError('upstream_unavailable')
  const files = new Map((body.context ?? []).map(({ path, content }) => [path, content]))
  const read = await parseAnswerWithSecrets(
    prepared.secrets,
    files,
    prepared.draft.context,
    prepared.nonce,
    first.answer,
  )
  const { finish } = first.answer
  const isCut = finish !== 'stop'
  const isTooLong = finish === 'length'
  if (isTooLong && read.edits.length === 0 && !isShortened(prepared, first))
    throw new ApiError('upstream_failed', { error: TOO_LONG })
  if (!isUsable(read)) throw new ApiError('upstream_failed')
  const repaired = await repairEdits(app, active, { files, read, first })
  const outcome = toRunOutcome(files, read, repaired, {
    isCut,
    isOrdered: isTooLong && isShortened(prepared, first),
  })
  return { ...outcome, review: await reviewEdits(app, outcome.edits, files, active.actor.orgId) }
}

const TOO_LONG =
  'The answer was longer than a run allows before its first file was complete; nothing was charged. Ask for less at once.'

/** The caller's limit or balance shortened the answer, so a cut answer counts as delivered. */
const isShortened = ({ limits }: ActiveRun['prepared'], { turn }: FinishedTurn): boolean =>
  turn.outputCeiling < limits.outputTokens

const isUsable = ({ edits, intendsEdits, envelope }: ParsedAnswer): boolean =>
  edits.length > 0 || intendsEdits || envelope.plan.trim() !== '' || envelope.summary.trim() !== ''

/** The row is inserted when the hold exists: a refused run leaves no row. */
function takeFirstTurn(
  app: App,
  { id, actor, requestId, body, prepared, signal }: ActiveRun,
  once: Once,
): Promise<FinishedTurn> {
  const { orgId, userId, keyId, org } = actor
  const { route, draft, limits, budget } = prepared
  return runModelTurn(app, {
    orgId,
    userId,
    keyId,
    currency: org.currency,
    ref: `${id}.1`,
    source: 'agent',
    workKind: 'run',
    requestId,
    route,
    messages: draft.messages,
    promptTokens: draft.promptTokens,
    outputCeiling: limits.outputTokens,
    leastOutput: limits.minOutputTokens,
    spentMicroKobo: 0n,
    maxMinor: budget.maxMinor,
    signal,
    onHeld: () =>
      app.db.tx(orgId, (tx) =>
        sql.insertRun(tx, {
          id,
          orgId,
          userId,
          kind: 'run',
          intentId: once.id,
          prompt: body.prompt,
          lane: route.lane,
          model: route.model,
          sandbox: 'none',
          testCommand: null,
          maxIterations: 1,
        }),
      ),
  })
}

/** Settles all turns in order and stores the result, in one transaction. A free result releases its turns. */
async function storeOutcome(
  app: App,
  tx: Tx,
  { id, actor, taken, prepared }: ActiveRun,
  once: Once,
  outcome: RunOutcome,
): Promise<AgentRunResult> {
  let costMinor = 0n
  let balanceMinor = 0n
  for (const turn of taken) {
    const settled = await settleFinishedIn(app, tx, outcome.isFree ? { ...turn, used: null } : turn)
    costMinor += settled.chargedMinor
    balanceMinor = settled.balances.balanceMinor
  }
  const { plan, edits, summary, status, warnings, review } = outcome
  const { route, draft, difficulty, secrets } = prepared
  const withheld = [...secrets.withheld]
  const details = { status, warnings, context: draft.context, difficulty, withheld }
  const finished = await sql.completeRun(
    tx,
    actor.orgId,
    { id, intentId: once.id },
    { costMinor, plan, summary, edits, review, details },
  )
  // Another attempt took over this idempotency key. Nothing is charged.
  if (!finished) throw new ApiError('idempotency_in_progress')
  await emitRunFinished(tx, [finished])
  const { lane, model } = route
  return {
    id,
    plan,
    edits: [...edits],
    summary,
    lane,
    model,
    costMinor,
    balanceMinor,
    ...(review && { review: { ...review } }),
    status,
    warnings: [...warnings],
    context: { included: [...draft.context.included], omitted: [...draft.context.omitted] },
    withheld,
  }
}

/** Releases the holds and marks the run as failed. If this fails, the sweepers clean up at the deadlines. */
async function releaseFailedRun(app: App, { id, actor, taken }: ActiveRun, error: unknown): Promise<void> {
  const code = error instanceof ApiError ? error.code : 'internal'
  const endings = [
    ...taken.map((each) => releaseTurn(app, each.turn)),
    app.db.tx(actor.orgId, async (tx) => emitRunFinished(tx, await sql.failRun(tx, actor.orgId, id, code))),
  ]
  for (const ending of await Promise.allSettled(endings))
    if (ending.status === 'rejected')
      app.log.warn({ err: ending.reason, runId: id }, 'agent.run.finish_failed')
}
