import { describe, expect, test } from 'vitest'
import { microKoboOf, type TokenPrice, turnCost } from '../../wallet/wallet.ts'
import { calculateTurnLimits } from '../prompt/context.ts'
import { calculateLoopBudget, calculateRunBudget, capBudget } from './budget.ts'

const limits = calculateTurnLimits(128_000)
const price = (koboPer1m: bigint, numerator = 1n, denominator = 1n): TokenPrice => ({
  lane: 'open',
  currency: 'NGN',
  koboPer1m,
  classes: null,
  rateCard: '2026-11',
  numerator,
  denominator,
})

/** A seeded generator, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('a budget', () => {
  test('covers every possible usage of its turns, in every currency', () => {
    const random = seeded(7)
    const below = (most: number) => Math.floor(random() * (most + 1))
    for (let round = 0; round < 2_000; round++) {
      const koboPer1m = () => BigInt(below(2_000_000))
      const each = {
        ...price(koboPer1m(), BigInt(1 + below(300)), BigInt(1 + below(100_000))),
        // Other calls may use up what a turn of the run has paid in advance: then each of its turns is rounded up.
        accrues: round % 3 === 0,
        classes:
          round % 2 === 0
            ? null
            : { input: koboPer1m(), output: koboPer1m(), cachedInput: koboPer1m(), cacheWrite: koboPer1m() },
      }
      const promptTokens = 1 + below(limits.promptTokens - 1)
      const iterations = 1 + below(5)
      const { minMinor, leastMinor, maxMinor } = calculateLoopBudget(each, limits, promptTokens, iterations)
      expect(minMinor <= maxMinor && leastMinor <= maxMinor).toBe(true)
      expect(spend(each, turnsOf(promptTokens, iterations), below)).toBeLessThanOrEqual(maxMinor)
      const repaired = [
        ...turnsOf(promptTokens, 1),
        { prompt: later(promptTokens, 1), output: limits.repairOutputTokens },
      ]
      const alone = calculateRunBudget(each, limits, promptTokens)
      expect(spend(each, repaired, below)).toBeLessThanOrEqual(alone.maxMinor)
    }
  })

  test('is limited by the caller', () => {
    const whole = calculateRunBudget(price(90_000n), limits, 1_000)
    expect(capBudget(whole, undefined)).toBe(whole)
    expect(capBudget(whole, whole.maxMinor + 1n)).toBe(whole)
    expect(capBudget(whole, 5n)).toEqual({ ...whole, maxMinor: 5n })
  })

  test('of a loop grows with the cost of each further iteration', () => {
    const of = (iterations: number) => calculateLoopBudget(price(90_000n), limits, 1_000, iterations).maxMinor
    expect(of(2)).toBeGreaterThan(of(1) * 2n - 1n)
    expect(of(3) - of(2)).toBeGreaterThanOrEqual(of(2) - of(1) - 1n)
  })
})

type Turn = { prompt: number; output: number }

const later = (promptTokens: number, turnsBefore: number): number =>
  Math.min(limits.promptTokens, promptTokens + turnsBefore * limits.outputTokens)
const turnsOf = (promptTokens: number, iterations: number): Turn[] =>
  Array.from({ length: iterations }, (_, before) => ({
    prompt: later(promptTokens, before),
    output: limits.outputTokens,
  }))

/** Charges turn by turn like the ledger, each of a random size within its limits. */
function spend(each: TokenPrice, turns: readonly Turn[], below: (most: number) => number): bigint {
  let [usedMicroKobo, charged] = [0n, 0n]
  for (const { prompt, output } of turns) {
    const promptTokens = below(prompt)
    const cachedTokens = below(promptTokens)
    const cacheWriteTokens = below(promptTokens - cachedTokens)
    const tokens = { promptTokens, cachedTokens, cacheWriteTokens, outputTokens: below(output) }
    charged += turnCost(each, usedMicroKobo, tokens)
    usedMicroKobo += microKoboOf(each, tokens)
  }
  return charged
}

test('a small model may write a quarter of its context window, which leaves room for the prompt', () => {
  expect(calculateTurnLimits(4_096)).toEqual({
    promptTokens: 1_072,
    outputTokens: 1_024,
    repairOutputTokens: 1_024,
    minOutputTokens: 512,
  })
})
