// One model turn of a run: recorded, held, asked, and settled in the transaction that keeps what it brought. What brings
// nothing is not charged, and what was kept is never asked again.

import { turnLimits } from '../agent/agent.ts'
import { ApiError, type ErrorCode } from '../kernel/errors.ts'
import {
  closedTo,
  type Payer,
  payerOf,
  releaseTurn,
  routeFor,
  settleTakenIn,
  type TakenTurn,
  takeTurn,
} from '../metering/metering.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Message, ModelAnswer } from '../platform/inference/inference.ts'
import { releaseIn } from '../wallet/wallet.ts'
import { type RunEvent, type TurnPurpose, tell } from './events.ts'
import { wishFor } from './lanes.ts'
import { forgetFailures, keepSpent, type Run } from './sql.ts'
import { dispatchStep, finishStep, keepHold } from './steps-sql.ts'
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
  read(answer: ModelAnswer): T | null
  /** Keeps it, in the transaction that charges for it. Returns what later steps need to know, and what is told. */
  keep(tx: Tx, value: T): Promise<{ outcome: unknown; events: readonly RunEvent[] }>
}

/** Why a step has to do without a model. */
export type Without = 'budget' | 'unusable' | 'upstream' | 'closed' | 'late'

const BUDGET: ReadonlySet<ErrorCode> = new Set(['budget_too_low', 'insufficient_funds', 'member_cap_reached'])
const UPSTREAM: ReadonlySet<ErrorCode> = new Set(['upstream_failed', 'upstream_unavailable', 'busy'])
const CLOSED: ReadonlySet<ErrorCode> = new Set(['residency_blocked', 'inference_not_configured'])
const UPSTREAM_TRIES = 3
const UPSTREAM_PAUSE_MS = 1_000
const UPSTREAM_PAUSE_MS_MAX = 20_000

/** Null when it was asked and kept; otherwise why there was nothing to keep. Nothing was charged then. */
export async function askOnce<T>(working: Working, asked: Asked<T>): Promise<Without | null> {
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
  const { app } = working
  if (app.clock.now() >= asked.until) return 'late'
  const { dispatches, payer, run } = await record(working, asked)
  if (!payer || closedTo(app, payer) === 'org_suspended' || closedTo(app, payer) === 'kyc_required')
    return 'closed'
  try {
    const taken = await take(working, asked, { dispatches, payer, run })
    return await keepAnswer(working, asked, taken)
  } catch (error) {
    working.work.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    app.log.warn({ err: error, runId: run.id, step: asked.step }, 'a turn of research was not served')
    if (BUDGET.has(error.code)) return 'budget'
    if (UPSTREAM.has(error.code)) return 'upstream'
    if (CLOSED.has(error.code)) return 'closed'
    throw error
  }
}

/** Before anything is asked. What an attempt before this one has left held for the same step is free again. */
function record<T>(working: Working, { step }: Asked<T>) {
  const { app, orgId, run } = working
  return whileWanted(working, async (tx) => {
    const { dispatches, heldBefore } = await dispatchStep(tx, run, step)
    if (heldBefore) await releaseIn(app, tx, { orgId, holdId: heldBefore })
    return { dispatches, payer: await payerOf(tx, orgId), run }
  })
}

type Dispatch = { readonly dispatches: number; readonly payer: Payer; readonly run: Run }

function take<T>(
  working: Working,
  asked: Asked<T>,
  { dispatches, payer, run }: Dispatch,
): Promise<TakenTurn> {
  const { app, work } = working
  const isReport = asked.purpose === 'report'
  const leftMinor = run.budgetMinor - run.spentMinor - (isReport || isReported(asked) ? 0n : run.asideMinor)
  const limits = turnLimits(app.config.upstreamContextTokens)
  return takeTurn(app, {
    orgId: run.orgId,
    userId: run.userId,
    currency: payer.currency,
    ref: `${run.id}.${asked.step}.${dispatches}`,
    source: 'research',
    route: routeFor(app, payer, wishFor(run.laneMode, asked.purpose)),
    messages: asked.messages,
    outputCeiling: Math.min(asked.outputTokens, limits.outputTokens),
    leastOutput: Math.min(asked.leastOutputTokens, limits.leastOutputTokens),
    spentMicroKobo: run.usedMicroKobo,
    maxMinor: leftMinor > 0n ? leftMinor : 0n,
    ...(isReport && { aside: run.asideHoldId }),
    signal: AbortSignal.any([work.signal, untilInstant(working, asked.until)]),
    onHeld: ({ hold }) => fenced(working, (tx) => keepHold(tx, run, asked.step, hold.holdId)),
  })
}

/** Repairs come after the report, whose money is spent by then. */
const isReported = <T>({ purpose }: Asked<T>): boolean => purpose === 'repair'

async function keepAnswer<T>(working: Working, asked: Asked<T>, taken: TakenTurn): Promise<Outcome> {
  const { app, work } = working
  const value = taken.answer.finish === 'stopped' ? null : asked.read(taken.answer)
  if (value === null) {
    await releaseTurn(app, taken.turn)
    work.signal.throwIfAborted()
    return taken.answer.finish === 'stopped' ? 'late' : 'unusable'
  }
  try {
    await fenced(working, (tx) => settleInto(working, asked, taken, { tx, value }))
    return 'kept'
  } catch (error) {
    // Where it was kept after all, letting go changes nothing.
    await releaseTurn(app, taken.turn)
    throw error
  }
}

async function settleInto<T>(
  { app, run }: Working,
  asked: Asked<T>,
  taken: TakenTurn,
  { tx, value }: { tx: Tx; value: T },
): Promise<void> {
  const { outcome, events } = await asked.keep(tx, value)
  if (!(await finishStep(tx, run, asked.step, outcome))) throw new Superseded()
  const { chargedMinor, spentMicroKobo } = await settleTakenIn(app, tx, taken)
  const { includedMinor } = taken.turn.hold
  const spentMinor = run.spentMinor + chargedMinor
  await keepSpent(tx, run, {
    spentMinor,
    walletMinor: run.walletMinor + (chargedMinor > includedMinor ? chargedMinor - includedMinor : 0n),
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
  const ended = AbortSignal.any([cancelled, work.signal, AbortSignal.timeout(pauseMs)])
  await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }))
}
