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
  const repair = grown(limits, promptTokens, 1) + limits.repairOutputTokens
  return within(price, limits, promptTokens, promptTokens + limits.outputTokens + repair)
}

/** One turn for each iteration; later ones also read what earlier ones wrote. */
export function loopBudget(
  price: Price,
  limits: TurnLimits,
  promptTokens: number,
  iterations: number,
): Budget {
  let tokens = promptTokens + limits.outputTokens
  for (let before = 1; before < iterations; before++)
    tokens += grown(limits, promptTokens, before) + limits.outputTokens
  return within(price, limits, promptTokens, tokens)
}

/** What the caller allows and what the work can cost, whichever is less. */
export const capped = (budget: Budget, allowedMinor: bigint | undefined): Budget =>
  allowedMinor === undefined || allowedMinor >= budget.maxMinor
    ? budget
    : { ...budget, maxMinor: allowedMinor }

// Test output, attempts and reasons beside the files.
const REPORT_TOKENS = 4_000

/** A prompt that also shows what so many turns before wrote; never more than a model can read. */
const grown = (limits: TurnLimits, promptTokens: number, turnsBefore: number): number =>
  Math.min(limits.promptTokens, promptTokens + turnsBefore * limits.outputTokens + REPORT_TOKENS)

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
