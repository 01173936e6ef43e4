// A model turn of a review: within its budget, its number of turns and its time.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { calculateTurnLimits, type Nonce } from '../../agent/agent.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Currency } from '../../kernel/money.ts'
import {
  chargeFor,
  currentRateCard,
  type FinishedTurn,
  fromKobo,
  releaseTurnIn,
  routeFor,
  runModelTurn,
  settleFinishedIn,
} from '../../metering/metering.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { lockVerdicts } from '../findings/record-findings.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import { addTurnCost, findRunCost, type ReviewRun, type RunCost, sumOtherRunCosts } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import { VerificationStopped } from './stop-reasons.ts'

const OUTPUT_TOKENS = 6_000
const OUTPUT_TOKENS_MIN = 400
const { review_default_budget_minor, review_max_model_turns } = reviewSettings.settings

/** The part of a review that a turn needs. */
export type TurnState = {
  readonly review: Pick<ReviewContext, 'app' | 'run' | 'signal' | 'deadlineMs'>
  /** The cost of other reviews of the same pull request within a day. */
  otherRunsMinor: bigint
  cost: RunCost
  /** Number of the next turn. Its hold has the reference `<work>.v<next>`. */
  next: number
  /** A reference has one hold, so work that can run at the same time has different names. */
  readonly work: string
}

/** State that the turns of one review share and update. */
export type VerificationState = TurnState & {
  readonly review: ReviewContext
  readonly nonce: Nonce
  /** Files of the change, by path. */
  readonly files: ReadonlyMap<string, ScannedFile>
}

/** If a crashed attempt already used the reference, the next number is tried. */
export async function runReviewTurn(
  state: TurnState,
  payer: Org,
  wantsFrontier: boolean,
  messages: readonly Message[],
): Promise<FinishedTurn> {
  requireTurnLeft(state)
  requireTimeLeft(state.review)
  const ref = `${state.work}.v${state.next++}`
  try {
    return await startTurn(state, payer, wantsFrontier, { messages, ref })
  } catch (error) {
    requireTimeLeft(state.review)
    if (error instanceof ApiError && error.code === 'work_ended')
      return runReviewTurn(state, payer, wantsFrontier, messages)
    throw error
  }
}

function requireTurnLeft({ review, next }: TurnState): void {
  if (next > review.app.settings.get(review_max_model_turns)) throw new VerificationStopped('turn_limit')
}

/** Timers can fire slightly early. */
const TIMER_TOLERANCE_MS = 10

export function requireTimeLeft({ deadlineMs }: Pick<ReviewContext, 'deadlineMs'>): void {
  if (performance.now() >= deadlineMs - TIMER_TOLERANCE_MS) throw new VerificationStopped('too_slow')
}

/** The budget of a pull request. The setting is in kobo and is converted to the currency of the wallet. */
const budgetIn = (app: App, currency: Currency): bigint =>
  fromKobo(currentRateCard(app), BigInt(app.settings.get(review_default_budget_minor)), currency).minor

function startTurn(
  { review, cost, otherRunsMinor }: TurnState,
  payer: Org,
  wantsFrontier: boolean,
  { messages, ref }: { messages: readonly Message[]; ref: string },
): Promise<FinishedTurn> {
  const { app, run, signal, deadlineMs } = review
  const maxMinor = budgetIn(app, payer.currency) - otherRunsMinor - cost.costMinor
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  const limits = calculateTurnLimits(app.config.upstreamContextTokens)
  return runModelTurn(app, {
    orgId: run.orgId,
    userId: null,
    keyId: null,
    currency: payer.currency,
    ref,
    source: 'review',
    route: routeFor(app, payer, { frontier: wantsFrontier }),
    messages,
    outputCeiling: Math.min(OUTPUT_TOKENS, limits.outputTokens),
    leastOutput: Math.min(OUTPUT_TOKENS_MIN, limits.minOutputTokens),
    spentMicroKobo: cost.usedMicroKobo,
    maxMinor: maxMinor > 0n ? maxMinor : 0n,
    signal: AbortSignal.any([signal, deadline]),
  })
}

export type SettledReviewTurn = {
  /** The part of the charge that the allowance of the plan does not cover. */
  readonly walletMinor: bigint
  /** The cost of the run with this turn. */
  readonly cost: RunCost
}

/**
 * Charges a turn and adds it to the cost of its run. Turns of one pull request can run at the same time, and each was started
 * within the budget that was left then. A turn that would pass the budget now is free.
 */
export async function settleReviewTurn(
  app: App,
  tx: Tx,
  run: Pick<ReviewRun, 'orgId' | 'id' | 'repoId' | 'pr'>,
  finished: FinishedTurn,
): Promise<SettledReviewTurn> {
  const { orgId, id } = run
  await lockVerdicts(tx, run)
  const costBefore = await findRunCost(tx, orgId, id)
  if (await passesBudget(app, tx, run, finished, costBefore.costMinor)) {
    await releaseTurnIn(app, tx, finished.turn)
    app.log.warn({ runId: id }, 'review.turn.over_budget')
    return { walletMinor: 0n, cost: costBefore }
  }
  const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, finished)
  const { hold, terms } = finished.turn
  const walletMinor = chargedMinor > hold.includedMinor ? chargedMinor - hold.includedMinor : 0n
  const usedMicroKobo = spentMicroKobo - BigInt(terms.beforeMicroKobo)
  const cost = await addTurnCost(tx, orgId, id, { chargedMinor, walletMinor, usedMicroKobo })
  return { walletMinor, cost }
}

async function passesBudget(
  app: App,
  tx: Tx,
  run: Parameters<typeof settleReviewTurn>[2],
  { turn, used }: FinishedTurn,
  ownMinor: bigint,
): Promise<boolean> {
  if (!used) return false
  const others = await sumOtherRunCosts(tx, run, before(tx.now, { days: 1 }))
  const chargeMinor = chargeFor(turn, used).chargedMinor
  return others + ownMinor + chargeMinor > budgetIn(app, turn.terms.currency)
}
