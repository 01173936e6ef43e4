// What a run or a loop can cost at most. A quote tells it, and the run itself is kept within the same figure.
import { costOf } from '../../metering/metering.ts'
import type { Price } from '../../wallet/wallet.ts'
import type { TurnLimits } from '../prompt/context.ts'

export type RunBudget = {
  /** When the answer is as short as can be. */
  readonly minMinor: bigint
  /** Below this nothing is begun. */
  readonly leastMinor: bigint
  /** A promise. */
  readonly maxMinor: bigint
}

/** One turn that edits, and at most one that repairs what could not be applied. */
export function calculateRunBudget(price: Price, limits: TurnLimits, promptTokens: number): RunBudget {
  const repair = laterPromptTokens(limits, promptTokens, 1) + limits.repairOutputTokens
  return toBudget(price, limits, promptTokens, promptTokens + limits.outputTokens + repair)
}

/** One turn for each iteration; later ones also read what earlier ones wrote. */
export function calculateLoopBudget(
  price: Price,
  limits: TurnLimits,
  promptTokens: number,
  iterations: number,
): RunBudget {
  let tokens = promptTokens + limits.outputTokens
  for (let before = 1; before < iterations; before++)
    tokens += laterPromptTokens(limits, promptTokens, before) + limits.outputTokens
  return toBudget(price, limits, promptTokens, tokens)
}

/** What the caller allows and what the work can cost, whichever is less. */
export const capBudget = (budget: RunBudget, allowedMinor: bigint | undefined): RunBudget =>
  allowedMinor === undefined || allowedMinor >= budget.maxMinor
    ? budget
    : { ...budget, maxMinor: allowedMinor }

// Test output, attempts and reasons beside the files.
const REPORT_TOKENS = 4_000

/** A prompt that also shows what so many turns before wrote; never more than a model can read. */
const laterPromptTokens = (limits: TurnLimits, promptTokens: number, turnsBefore: number): number =>
  Math.min(limits.promptTokens, promptTokens + turnsBefore * limits.outputTokens + REPORT_TOKENS)

// An answer that says in a sentence that there is nothing to do.
const SHORT_ANSWER_TOKENS = 20
// The upper estimate of a prompt is never more than this many times what it turns out to be.
const OVERESTIMATE = 2.5

function toBudget(price: Price, limits: TurnLimits, promptTokens: number, mostTokens: number): RunBudget {
  return {
    minMinor: costOf(price, Math.floor(promptTokens / OVERESTIMATE) + SHORT_ANSWER_TOKENS),
    leastMinor: costOf(price, promptTokens + limits.minOutputTokens),
    maxMinor: costOf(price, mostTokens),
  }
}
