// A model turn of a review: within its budget, its number of turns and its time.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { calculateTurnLimits, type Nonce } from '../../agent/agent.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type FinishedTurn, routeFor, runModelTurn, settleFinishedIn } from '../../metering/metering.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Message } from '../../platform/inference/inference.ts'
import type { ReviewContext } from '../runs/review-context.ts'
import { addTurnCost, type ReviewRun, type RunCost } from '../runs/runs-sql.ts'
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

function startTurn(
  { review, cost, otherRunsMinor }: TurnState,
  payer: Org,
  wantsFrontier: boolean,
  { messages, ref }: { messages: readonly Message[]; ref: string },
): Promise<FinishedTurn> {
  const { app, run, signal, deadlineMs } = review
  const budgetMinor = BigInt(app.settings.get(review_default_budget_minor))
  const maxMinor = budgetMinor - otherRunsMinor - cost.costMinor
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

/** Charges a turn and adds it to the cost of its run. */
export async function settleReviewTurn(
  app: App,
  tx: Tx,
  { orgId, id }: Pick<ReviewRun, 'orgId' | 'id'>,
  finished: FinishedTurn,
): Promise<SettledReviewTurn> {
  const { chargedMinor, spentMicroKobo } = await settleFinishedIn(app, tx, finished)
  const { hold, terms } = finished.turn
  const walletMinor = chargedMinor > hold.includedMinor ? chargedMinor - hold.includedMinor : 0n
  const usedMicroKobo = spentMicroKobo - BigInt(terms.beforeMicroKobo)
  const cost = await addTurnCost(tx, orgId, id, { chargedMinor, walletMinor, usedMicroKobo })
  return { walletMinor, cost }
}
