// One model turn of a run: recorded, held, asked, and settled in the transaction that keeps what it brought. What brings
// nothing is not charged, and what was kept is never asked again.

import { setTimeout } from 'node:timers/promises'
import { calculateTurnLimits } from '../agent/agent.ts'
import { present } from '../kernel/assert.ts'
import { ApiError, type ErrorCode } from '../kernel/errors.ts'
import {
  type FinishedTurn,
  releaseTurn,
  releaseTurnIn,
  routeFor,
  runModelTurn,
  settleFinishedIn,
  type Turn,
} from '../metering/metering.ts'
import { chargeabilityNow, findOrg, type Org } from '../orgs/orgs.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Message, ModelAnswer } from '../platform/inference/inference.ts'
import { releaseNamed } from '../wallet/wallet.ts'
import { setAsideAgain } from './aside.ts'
import { type RunEvent, type TurnPurpose, tell } from './events.ts'
import { wishFor } from './lanes.ts'
import { findRun, forgetFailures, keepSpent, type Run } from './sql.ts'
import { dispatchStep, finishStep } from './steps-sql.ts'
import { fenced, Superseded, untilInstant, type Working, whileWanted } from './working.ts'

export type Asked<T> = {
  readonly step: string
  readonly purpose: TurnPurpose
  readonly messages: readonly Message[]
  readonly outputTokens: number
  readonly leastOutputTokens: number
  /** When it has to be over. */
  readonly until: Date
  /** How often it is asked again when nothing can be read out of the answer. */
  readonly again: number
  /** What the answer says; null when nothing can be read out of it. */
  read(answer: ModelAnswer): T | null | Promise<T | null>
  /** Keeps it, in the transaction that charges for it. Returns what later steps need to know, and what is told. */
  keep(tx: Tx, value: T): Promise<{ outcome: unknown; events: readonly RunEvent[] }>
}

/** Why a step has to do without a model. */
export type Without = 'budget' | 'unusable' | 'upstream' | 'closed' | 'late'

const BUDGET: ReadonlySet<ErrorCode> = new Set(['budget_too_low', 'insufficient_funds', 'member_cap_reached'])
const UPSTREAM: ReadonlySet<ErrorCode> = new Set([
  'upstream_failed',
  'upstream_unavailable',
  'upstream_refused',
  'busy',
])
const CLOSED: ReadonlySet<ErrorCode> = new Set(['residency_blocked', 'inference_not_configured'])
/** Each of them is some tries of its own. */
const UPSTREAM_TRIES = 2
const UPSTREAM_PAUSE_MS = 1_000
const UPSTREAM_PAUSE_MS_MAX = 20_000

/** After so many steps whose answers nobody could use no more are asked for: each would be for nothing, and at our cost. */
const UNUSABLE_MAX = 2

/** Null when it was asked and kept; otherwise why there was nothing to keep. Nothing was charged then. */
export async function askOnce<T>(working: Working, asked: Asked<T>): Promise<Without | null> {
  if (working.unusable >= UNUSABLE_MAX) return 'unusable'
  let unusable = 0
  for (let failed = 0; ; ) {
    const outcome = await dispatch(working, asked)
    if (outcome === 'kept') return null
    if (outcome === 'unusable' && ++unusable > asked.again) return 'unusable'
    if (outcome === 'upstream' && ++failed >= UPSTREAM_TRIES) return 'upstream'
    if (outcome === 'budget' || outcome === 'closed' || outcome === 'late') return outcome
    if (outcome === 'upstream') await pause(working, asked, failed)
  }
}

type Outcome = 'kept' | Without

async function dispatch<T>(working: Working, asked: Asked<T>): Promise<Outcome> {
  const { app, run } = working
  if (app.clock.now() >= asked.until) return 'late'
  const recorded = await record(working, asked)
  const charge = chargeabilityNow(app, recorded.payer)
  // The job is retried: the run continues after maintenance, or ends when its time is up.
  if (!charge.chargeable && charge.refusal === 'maintenance') throw new ApiError('maintenance')
  if (!charge.chargeable) return 'closed'
  try {
    const dispatched = { ...recorded, payer: charge.org }
    const taken = await take(working, asked, dispatched)
    return await keepAnswer(working, asked, dispatched, taken)
  } catch (error) {
    working.work.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    app.log.warn({ err: error, runId: run.id, step: asked.step }, 'research.turn.failed')
    if (BUDGET.has(error.code)) return 'budget'
    if (UPSTREAM.has(error.code)) return 'upstream'
    if (CLOSED.has(error.code)) return 'closed'
    throw error
  }
}

/** Before anything is asked. What an attempt before this one has left held for the same step is free again. */
function record<T>(working: Working, { step, purpose }: Asked<T>) {
  const { app, orgId, run } = working
  return whileWanted(working, async (tx) => {
    const dispatches = await dispatchStep(tx, run, step)
    const ref = refOf(run, step, dispatches - 1)
    const isLeft = dispatches > 1 && (await releaseNamed(app, tx, { orgId, ref }))
    if (isLeft && purpose === 'report') await setAsideAgain(app, tx, run, `${dispatches}.again`)
    const now = present(await findRun(tx, orgId, run.id), 'a run that is held is there')
    return { dispatches, payer: await findOrg(tx, orgId), run: now }
  })
}

/** Each dispatch has a hold of its own. */
const refOf = ({ id }: Run, step: string, dispatch: number): string => `${id}.${step}.${dispatch}`

type Dispatch = { readonly dispatches: number; readonly payer: Org; readonly run: Run }

function take<T>(working: Working, asked: Asked<T>, dispatched: Dispatch): Promise<FinishedTurn> {
  const { app, work } = working
  const { dispatches, payer, run } = dispatched
  const isReport = asked.purpose === 'report'
  // Repairs come after the report, whose money is spent by then.
  const isLast = isReport || asked.purpose === 'repair'
  const leftMinor = run.budgetMinor - run.spentMinor - (isLast ? 0n : run.asideMinor)
  const limits = calculateTurnLimits(app.config.upstreamContextTokens)
  return runModelTurn(app, {
    orgId: run.orgId,
    userId: run.userId,
    currency: payer.currency,
    ref: refOf(run, asked.step, dispatches),
    source: 'research',
    route: routeFor(app, payer, wishFor(run.laneMode, asked.purpose)),
    messages: asked.messages,
    outputCeiling: Math.min(asked.outputTokens, limits.outputTokens),
    leastOutput: Math.min(asked.leastOutputTokens, limits.minOutputTokens),
    spentMicroKobo: run.usedMicroKobo,
    maxMinor: leftMinor > 0n ? leftMinor : 0n,
    ...(isReport && { fundingHold: run.asideHoldId }),
    signal: AbortSignal.any([work.signal, untilInstant(working, asked.until)]),
    release: (turn) => letGo(working, asked, dispatched, turn),
  })
}

/** Of a report that did not come about, the money is kept for the next try in the moment in which it is free. */
async function letGo<T>(
  working: Working,
  { purpose }: Asked<T>,
  { dispatches }: Dispatch,
  turn: Turn,
): Promise<void> {
  const { app, run } = working
  if (purpose === 'report') {
    const isKept = await fenced(working, async (tx) => {
      await releaseTurnIn(app, tx, turn)
      await setAsideAgain(app, tx, run, `${dispatches}`)
      return true
    }).catch((error: unknown) => {
      app.log.warn({ err: error, runId: run.id }, 'research.report_reserve.renew_failed')
      return false
    })
    if (isKept) return
  }
  await releaseTurn(app, turn)
}

async function keepAnswer<T>(
  working: Working,
  asked: Asked<T>,
  dispatched: Dispatch,
  taken: FinishedTurn,
): Promise<Outcome> {
  const isStopped = taken.answer.finish === 'stopped'
  try {
    const value = isStopped ? null : await asked.read(taken.answer)
    if (value !== null) {
      await fenced(working, (tx) => settleInto(working, asked, taken, { tx, value }))
      return 'kept'
    }
  } catch (error) {
    // Where it was kept after all, letting go changes nothing.
    await letGo(working, asked, dispatched, taken.turn)
    throw error
  }
  await letGo(working, asked, dispatched, taken.turn)
  working.work.signal.throwIfAborted()
  return isStopped ? 'late' : 'unusable'
}

async function settleInto<T>(
  { app, run }: Working,
  asked: Asked<T>,
  taken: FinishedTurn,
  { tx, value }: { tx: Tx; value: T },
): Promise<void> {
  const { outcome, events } = await asked.keep(tx, value)
  if (!(await finishStep(tx, run, asked.step, outcome))) throw new Superseded()
  const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, taken)
  const spentMinor = run.spentMinor + chargedMinor
  await keepSpent(tx, run, {
    spentMinor,
    turns: run.turns + 1,
    usedMicroKobo: spentMicroKobo,
  })
  await forgetFailures(tx, run)
  const { promptTokens = 0, outputTokens = 0 } = taken.used ?? {}
  const { lane } = taken.turn.terms
  const tokens = promptTokens + outputTokens
  const turn = { kind: 'turn', purpose: asked.purpose, lane, model: taken.answer.model, tokens } as const
  await tell(tx, run.id, [{ ...turn, costMinor: chargedMinor, spentMinor }, ...events])
}

/** Longer each time, and never beyond what it is for. */
async function pause<T>(
  { app, cancelled, work }: Working,
  { until }: Asked<T>,
  failed: number,
): Promise<void> {
  const leftMs = until.getTime() - app.clock.now().getTime()
  const pauseMs = Math.min(UPSTREAM_PAUSE_MS * 4 ** (failed - 1), UPSTREAM_PAUSE_MS_MAX, Math.max(1, leftMs))
  await setTimeout(pauseMs, undefined, { signal: AbortSignal.any([cancelled, work.signal]) }).catch(
    () => undefined,
  )
}
