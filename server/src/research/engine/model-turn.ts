// One model turn of a run: recorded, held, called, and settled in the transaction that stores its outcome. A turn without
// an outcome is not charged, and a stored turn is never repeated.

import { setTimeout } from 'node:timers/promises'
import { calculateTurnLimits } from '../../agent/agent.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import type { KeyId } from '../../kernel/ids.ts'
import {
  type FinishedTurn,
  releaseTurn,
  releaseTurnIn,
  routeFor,
  runModelTurn,
  settleFinishedIn,
  type Turn,
} from '../../metering/metering.ts'
import { chargeabilityNow, findOrg, type Org } from '../../orgs/orgs.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Message, ModelAnswer } from '../../platform/inference/inference.ts'
import { keyOfHold, releaseByRef } from '../../wallet/wallet.ts'
import { renewReserve } from '../pricing/report-reserve.ts'
import { lanePreference } from '../pricing/turn-lanes-sizes.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import {
  dispatchStep,
  findRun,
  finishStep,
  type RunRecord,
  resetFailures,
  saveSpending,
} from '../runs-sql.ts'
import type { TurnPurpose } from '../types.ts'
import {
  abortAt,
  type RunContext,
  SupersededError,
  withFence,
  withFenceUnlessCancelled,
} from './run-context.ts'

export type ResearchTurn<T> = {
  readonly step: string
  readonly purpose: TurnPurpose
  readonly messages: readonly Message[]
  readonly outputTokens: number
  readonly leastOutputTokens: number
  readonly deadline: Date
  /** Retries after an answer that cannot be parsed. */
  readonly retries: number
  /** Parses the answer; null if it is unusable. */
  parse(answer: ModelAnswer): T | null | Promise<T | null>
  /**
   * Saves the value in the transaction that charges for it. Returns the step outcome for later steps, and the events.
   */
  save(tx: Tx, value: T): Promise<{ outcome: unknown; events: readonly RunEvent[] }>
}

/** Why a step finishes without a model. */
export type FallbackReason = 'budget' | 'unusable' | 'upstream' | 'closed' | 'late'

const BUDGET_CODES: ReadonlySet<ErrorCode> = new Set([
  'budget_too_low',
  'insufficient_funds',
  'member_cap_reached',
  'key_budget_exceeded',
])
const UPSTREAM_CODES: ReadonlySet<ErrorCode> = new Set([
  'upstream_failed',
  'upstream_unavailable',
  'upstream_refused',
  'busy',
])
const CLOSED_CODES: ReadonlySet<ErrorCode> = new Set([
  'residency_blocked',
  'model_not_allowed',
  'inference_not_configured',
])
/** Each try includes the retries of the inference client. */
const UPSTREAM_TRIES = 2
const FIRST_BACKOFF_MS = 1_000
const BACKOFF_MS_MAX = 20_000

/** After this many unusable steps the run stops calling models: unusable answers cost us money. */
const UNUSABLE_MAX = 2

/** Null if the turn was saved; otherwise the reason for the fallback. A fallback is not charged. */
export async function runTurn<T>(
  context: RunContext,
  request: ResearchTurn<T>,
): Promise<FallbackReason | null> {
  if (context.unusable >= UNUSABLE_MAX) return 'unusable'
  let unusable = 0
  for (let failed = 0; ; ) {
    const outcome = await dispatch(context, request)
    if (outcome === 'kept') return null
    if (outcome === 'unusable' && ++unusable > request.retries) return 'unusable'
    if (outcome === 'upstream' && ++failed >= UPSTREAM_TRIES) return 'upstream'
    if (outcome === 'budget' || outcome === 'closed' || outcome === 'late') return outcome
    if (outcome === 'upstream') await backOff(context, request, failed)
  }
}

type ResearchTurnOutcome = 'kept' | FallbackReason

async function dispatch<T>(context: RunContext, request: ResearchTurn<T>): Promise<ResearchTurnOutcome> {
  const { app, run } = context
  if (app.clock.now() >= request.deadline) return 'late'
  const recorded = await recordDispatch(context, request)
  const charge = chargeabilityNow(app, recorded.payer)
  // The job is retried: the run continues after maintenance, or ends when its time is up.
  if (!charge.chargeable && charge.refusal === 'maintenance') throw new ApiError('maintenance')
  if (!charge.chargeable) return 'closed'
  try {
    const dispatched = { ...recorded, payer: charge.org }
    const taken = await dispatchTurn(context, request, dispatched)
    return await saveAnswer(context, request, dispatched, taken)
  } catch (error) {
    context.work.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    app.log.warn({ err: error, runId: run.id, step: request.step }, 'research.turn.failed')
    if (BUDGET_CODES.has(error.code)) return 'budget'
    if (UPSTREAM_CODES.has(error.code)) return 'upstream'
    if (CLOSED_CODES.has(error.code)) return 'closed'
    throw error
  }
}

/** Records the dispatch before the model call, and releases a hold that an earlier attempt left for this step. */
function recordDispatch<T>(context: RunContext, { step, purpose }: ResearchTurn<T>) {
  const { app, orgId, run } = context
  return withFenceUnlessCancelled(context, async (tx) => {
    const dispatches = await dispatchStep(tx, run, step)
    const ref = toHoldRef(run, step, dispatches - 1)
    const isLeft = dispatches > 1 && (await releaseByRef(app, tx, { orgId, ref }))
    if (isLeft && purpose === 'report') await renewReserve(app, tx, run, `${dispatches}.again`)
    const now = present(await findRun(tx, orgId, run.id), 'a run that is held is there')
    // The run spends from the key that started it: the one that placed its first hold.
    const keyId = await keyOfHold(tx, { orgId, holdId: now.asideHoldId })
    return { dispatches, payer: await findOrg(tx, orgId), run: now, keyId }
  })
}

/** Every dispatch has its own hold. */
const toHoldRef = ({ id }: RunRecord, step: string, dispatch: number): string => `${id}.${step}.${dispatch}`

type Dispatch = {
  readonly dispatches: number
  readonly payer: Org
  readonly run: RunRecord
  readonly keyId: KeyId | null
}

function dispatchTurn<T>(
  context: RunContext,
  request: ResearchTurn<T>,
  dispatch: Dispatch,
): Promise<FinishedTurn> {
  const { app, work } = context
  const { dispatches, payer, run, keyId } = dispatch
  const isReport = request.purpose === 'report'
  // Repairs follow the report, so its reserve is spent by then.
  const isLast = isReport || request.purpose === 'repair'
  const leftMinor = run.budgetMinor - run.spentMinor - (isLast ? 0n : run.asideMinor)
  const limits = calculateTurnLimits(app.config.upstreamContextTokens)
  return runModelTurn(app, {
    orgId: run.orgId,
    userId: run.userId,
    keyId,
    currency: payer.currency,
    ref: toHoldRef(run, request.step, dispatches),
    source: 'research',
    route: routeFor(app, payer, lanePreference(run.laneMode, request.purpose)),
    messages: request.messages,
    outputCeiling: Math.min(request.outputTokens, limits.outputTokens),
    leastOutput: Math.min(request.leastOutputTokens, limits.minOutputTokens),
    spentMicroKobo: run.usedMicroKobo,
    maxMinor: leftMinor > 0n ? leftMinor : 0n,
    ...(isReport && { fundingHold: run.asideHoldId }),
    signal: AbortSignal.any([work.signal, abortAt(context, request.deadline)]),
    // A worker that lost its lease before this hold was placed releases it now: the next worker did not see it.
    onHeld: () => withFence(context, async () => undefined),
    release: (turn) => releaseHold(context, request, dispatch, turn),
  })
}

/** After a failed report, releases its hold and renews the report reserve in one transaction. */
async function releaseHold<T>(
  context: RunContext,
  { purpose }: ResearchTurn<T>,
  { dispatches }: Dispatch,
  turn: Turn,
): Promise<void> {
  const { app, run } = context
  if (purpose === 'report') {
    const isKept = await withFence(context, async (tx) => {
      await releaseTurnIn(app, tx, turn)
      await renewReserve(app, tx, run, `${dispatches}`)
      return true
    }).catch((error: unknown) => {
      app.log.warn({ err: error, runId: run.id }, 'research.report_reserve.renew_failed')
      return false
    })
    if (isKept) return
  }
  await releaseTurn(app, turn)
}

async function saveAnswer<T>(
  context: RunContext,
  request: ResearchTurn<T>,
  dispatch: Dispatch,
  taken: FinishedTurn,
): Promise<ResearchTurnOutcome> {
  const isStopped = taken.answer.finish === 'stopped'
  try {
    const value = isStopped ? null : await request.parse(taken.answer)
    if (value !== null) {
      await withFence(context, (tx) => settleTurn(context, request, taken, { tx, value }))
      return 'kept'
    }
  } catch (error) {
    // If the answer was saved after all, releasing has no effect.
    await releaseHold(context, request, dispatch, taken.turn)
    throw error
  }
  await releaseHold(context, request, dispatch, taken.turn)
  context.work.signal.throwIfAborted()
  return isStopped ? 'late' : 'unusable'
}

async function settleTurn<T>(
  { app, run }: RunContext,
  request: ResearchTurn<T>,
  taken: FinishedTurn,
  { tx, value }: { tx: Tx; value: T },
): Promise<void> {
  const { outcome, events } = await request.save(tx, value)
  if (!(await finishStep(tx, run, request.step, outcome))) throw new SupersededError()
  const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, taken)
  const spentMinor = run.spentMinor + chargedMinor
  await saveSpending(tx, run, {
    spentMinor,
    turns: run.turns + 1,
    usedMicroKobo: spentMicroKobo,
  })
  await resetFailures(tx, run)
  const { promptTokens = 0, outputTokens = 0 } = taken.used ?? {}
  const { lane } = taken.turn.terms
  const tokens = promptTokens + outputTokens
  const turn = { kind: 'turn', purpose: request.purpose, lane, model: taken.answer.model, tokens } as const
  await appendEvents(tx, run.id, [{ ...turn, costMinor: chargedMinor, spentMinor }, ...events])
}

/** Exponential backoff, limited by the deadline of the turn. */
async function backOff<T>(
  { app, cancelled, work }: RunContext,
  { deadline: until }: ResearchTurn<T>,
  failed: number,
): Promise<void> {
  const leftMs = until.getTime() - app.clock.now().getTime()
  const pauseMs = Math.min(FIRST_BACKOFF_MS * 4 ** (failed - 1), BACKOFF_MS_MAX, Math.max(1, leftMs))
  await setTimeout(pauseMs, undefined, { signal: AbortSignal.any([cancelled, work.signal]) }).catch(
    () => undefined,
  )
}
