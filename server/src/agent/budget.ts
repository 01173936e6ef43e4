// What a run or a loop can cost at most. A quote tells it, and the run itself is kept within the same figure.
import { costOf } from '../metering/metering.ts'
import type { Price } from '../wallet/wallet.ts'
import type { TurnLimits } from './context.ts'

export type Budget = {
  /** When the answer is as short as can be. */
  readonly minMinor: bigint
  /** Below this nothing is begun. */
  readonly leastMinor: bigint
  /** A promise. */
  readonly maxMinor: bigint
}

/** One turn that edits, and at most one that repairs what could not be applied. */
export function budgetOf(price: Price, limits: TurnLimits, promptTokens: number): Budget {
  return within(price, limits, promptTokens, iterationTokens(limits, promptTokens))
}

/** As many iterations, each of which may have its repair; later ones also read what earlier ones wrote. */
export function loopBudget(
  price: Price,
  limits: TurnLimits,
  promptTokens: number,
  iterations: number,
): Budget {
  const later = iterationTokens(limits, grown(limits, promptTokens))
  return within(price, limits, promptTokens, iterationTokens(limits, promptTokens) + (iterations - 1) * later)
}

/** What the caller allows and what the work can cost, whichever is less. */
export const capped = (budget: Budget, allowedMinor: bigint | undefined): Budget =>
  allowedMinor === undefined || allowedMinor >= budget.maxMinor
    ? budget
    : { ...budget, maxMinor: allowedMinor }

const iterationTokens = (limits: TurnLimits, promptTokens: number): number =>
  promptTokens + limits.outputTokens + grown(limits, promptTokens) + limits.repairOutputTokens

// Test output, attempts and reasons beside the files.
const REPORT_TOKENS = 4_000

/** A prompt that also shows what the turn before wrote; never more than a model can read. */
const grown = (limits: TurnLimits, promptTokens: number): number =>
  Math.min(limits.promptTokens, promptTokens + limits.outputTokens + REPORT_TOKENS)

// An answer that says in a sentence that there is nothing to do.
const SHORT_ANSWER_TOKENS = 20
// The upper estimate of a prompt is never more than this many times what it turns out to be.
const OVERESTIMATE = 2.5

function within(price: Price, limits: TurnLimits, promptTokens: number, mostTokens: number): Budget {
  return {
    minMinor: costOf(price, Math.floor(promptTokens / OVERESTIMATE) + SHORT_ANSWER_TOKENS),
    leastMinor: costOf(price, promptTokens + limits.leastOutputTokens),
    maxMinor: costOf(price, mostTokens),
  }
}
