// One run: call the model, apply its edits, and store the result together with its charge. Nothing is charged that is
// not stored.
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type FinishedTurn, releaseTurn, runModelTurn, settleFinishedIn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { prepareRun } from '../quote/prepare.ts'
import { applyQuoteCap, toQuotedWork } from '../quote/quote-cap.ts'
import type { AgentRunRequest, AgentRunResult } from '../schema.ts'
import * as sql from '../sql.ts'
import type { ParsedAnswer } from './answer.ts'
import { parseAnswerWithSecrets } from './answer.ts'
import { emitRunFinished, endEarlierAttempts, superviseRun } from './lifecycle.ts'
import type { ActiveRun } from './repair.ts'
import { repairEdits } from './repair.ts'
import { type RunOutcome, STOPPED_OUTCOME, toRunOutcome } from './result.ts'
import { reviewEdits } from './review.ts'
import { openRunStream } from './run-stream.ts'
import { createRunStopSignals } from './stop-signals.ts'

export type RunRequest = {
  readonly once: Once
  readonly requestId: string
  /** Opens the stream; null for a plain reply. */
  readonly open: (() => EventStream) | null
}

export async function runAgent(
  app: App,
  actor: Actor,
  body: AgentRunRequest,
  { once, open, requestId }: RunRequest,
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
    stops: createRunStopSignals(),
    stream: null,
    taken: [],
  }
  const endSupervision = superviseRun(app, { orgId: actor.orgId, id: active.id, once }, active.stops.stop)
  try {
    const outcome = await runTurns(app, active, { once, open })
    return await once.commit(actor.orgId, (tx) => storeOutcome(app, tx, active, once, outcome))
  } catch (error) {
    await releaseFailedRun(app, active, error)
    throw error
  } finally {
    endSupervision()
  }
}

async function runTurns(
  app: App,
  active: ActiveRun,
  request: Pick<RunRequest, 'once' | 'open'>,
): Promise<RunOutcome> {
  const { prepared, body, stops } = active
  const first = await takeFirstTurn(app, active, request).catch((error: unknown) => {
    if (stops.reason() === 'stopped' && error instanceof ApiError) return null
    throw error
  })
  if (first === null) return STOPPED_OUTCOME
  active.taken.push(first)
  const files = new Map((body.context ?? []).map(({ path, content }) => [path, content]))
  const read = await parseAnswerWithSecrets(
    prepared.secrets,
    files,
    prepared.draft.context,
    prepared.nonce,
    first.answer,
  )
  const { finish } = first.answer
  const isStopped = finish === 'stopped'
  if (isStopped && stops.reason() !== 'stopped') throw new ApiError('upstream_unavailable')
  if (isStopped && read.edits.length === 0 && !active.stream?.shownCharacters) return STOPPED_OUTCOME
  const isTooLong = finish === 'length'
  if (isTooLong && read.edits.length === 0 && !isShortened(prepared, first))
    throw new ApiError('upstream_failed', { error: TOO_LONG })
  if (!isUsable(read)) throw new ApiError('upstream_failed')
  await active.stream?.step('plan', read, active.taken)
  await active.stream?.step('edit', read, active.taken)
  const repaired = await repairEdits(app, active, { files, read, first })
  const outcome = toRunOutcome(files, read, repaired, {
    isCut: finish !== 'stop',
    isOrdered: isStopped || (isTooLong && isShortened(prepared, first)),
    isCancelled: isStopped || repaired.kind === 'stopped',
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

/** The row is inserted and the stream opens when the hold exists: a refused run has neither. */
function takeFirstTurn(
  app: App,
  active: ActiveRun,
  { once, open }: Pick<RunRequest, 'once' | 'open'>,
): Promise<FinishedTurn> {
  const { id, actor, requestId, prepared, stops } = active
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
    signal: stops.turnSignal,
    onHeld: async () => {
      await insertRun(app, active, once)
      if (open) active.stream = await openRunStream(app, active, open)
    },
    ...(open && { onText: (text) => active.stream?.showText(text) }),
  })
}

function insertRun(app: App, { id, actor, body, prepared }: ActiveRun, once: Once): Promise<void> {
  const { orgId, userId } = actor
  const { lane, model } = prepared.route
  return app.db.tx(orgId, (tx) =>
    sql.insertRun(tx, {
      ...{ id, orgId, userId, lane, model, prompt: body.prompt },
      kind: 'run',
      intentId: once.id,
      sandbox: 'none',
      testCommand: null,
      maxIterations: 1,
    }),
  )
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
  const { plan, edits, summary, status, warnings, review, isCancelled } = outcome
  const { route, draft, difficulty, secrets } = prepared
  const withheld = [...secrets.withheld]
  const details = { status, warnings, context: draft.context, difficulty, withheld }
  const finished = await sql.completeRun(
    tx,
    actor.orgId,
    { id, intentId: once.id },
    {
      status: isCancelled ? 'cancelled' : 'completed',
      ...{ costMinor, plan, summary, edits, review, details },
    },
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
    ...(isCancelled && { cancelled: true }),
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
