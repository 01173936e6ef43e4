// The most that a run or a loop can cost. The quote shows it, and the run stays within it.
import { costOf, costOfTurns, minCostOf } from '../../metering/metering.ts'
import type { TokenPrice } from '../../wallet/wallet.ts'
import type { TurnLimits } from '../prompt/context.ts'

export type RunBudget = {
  /** The cost of the shortest possible answer. */
  readonly minMinor: bigint
  /** A run with less money does not start. */
  readonly leastMinor: bigint
  /** The upper bound that the quote promises. */
  readonly maxMinor: bigint
}

/** One turn that edits, and at most one that repairs. */
export function calculateRunBudget(price: TokenPrice, limits: TurnLimits, promptTokens: number): RunBudget {
  return toBudget(price, limits, promptTokens, [
    { promptTokens, outputTokens: limits.outputTokens },
    {
      promptTokens: laterPromptTokens(limits, promptTokens, 1),
      outputTokens: limits.repairOutputTokens,
    },
  ])
}

/** One turn per iteration; later turns also read earlier results. */
export function calculateLoopBudget(
  price: TokenPrice,
  limits: TurnLimits,
  promptTokens: number,
  iterations: number,
): RunBudget {
  const turns = Array.from({ length: iterations }, (_, before) => ({
    promptTokens: before === 0 ? promptTokens : laterPromptTokens(limits, promptTokens, before),
    outputTokens: limits.outputTokens,
  }))
  return toBudget(price, limits, promptTokens, turns)
}

/** The smaller of the caller's limit and the possible cost. */
export const capBudget = (budget: RunBudget, allowedMinor: bigint | undefined): RunBudget =>
  allowedMinor === undefined || allowedMinor >= budget.maxMinor
    ? budget
    : { ...budget, maxMinor: allowedMinor }

// Tokens for test output, attempts and reasons.
const REPORT_TOKENS = 4_000

/** Prompt tokens after some turns, limited by the context window. */
const laterPromptTokens = (limits: TurnLimits, promptTokens: number, turnsBefore: number): number =>
  Math.min(limits.promptTokens, promptTokens + turnsBefore * limits.outputTokens + REPORT_TOKENS)

// An answer that says in one sentence that there is nothing to do.
const SHORT_ANSWER_TOKENS = 20
// The upper estimate of a prompt is at most this many times its real size.
const OVERESTIMATE = 2.5

function toBudget(
  price: TokenPrice,
  limits: TurnLimits,
  promptTokens: number,
  turns: Parameters<typeof costOfTurns>[1],
): RunBudget {
  return {
    minMinor: minCostOf(price, Math.floor(promptTokens / OVERESTIMATE), SHORT_ANSWER_TOKENS),
    leastMinor: costOf(price, promptTokens, limits.minOutputTokens),
    maxMinor: costOfTurns(price, turns),
  }
}
