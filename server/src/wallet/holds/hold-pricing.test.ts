import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJson } from '../../kernel/json.ts'
import { currencies } from '../../kernel/money.ts'
import {
  affordableOutput,
  calculateCharge,
  HoldTerms,
  minorOf,
  priceOfTerms,
  type TokenPrice,
  turnCost,
  Usage,
} from './hold-pricing.ts'

const price = fc.record<TokenPrice>({
  lane: fc.constantFrom('open', 'frontier'),
  currency: fc.constantFrom(...currencies),
  koboPer1m: fc.bigInt(0n, 10n ** 9n),
  rateCard: fc.constant('2026-11'),
  numerator: fc.bigInt(1n, 10n ** 6n),
  denominator: fc.bigInt(1n, 10n ** 6n),
})
const tokens = fc.bigInt(0n, 10n ** 7n)
const used = fc.bigInt(0n, 10n ** 18n)

const kobo = (koboPer1m: bigint, numerator = 1n, denominator = 1n): TokenPrice => ({
  lane: 'open',
  currency: 'NGN',
  koboPer1m,
  rateCard: '2026-11',
  numerator,
  denominator,
})

describe('the cost', () => {
  test('is the exact product rounded up once', () => {
    fc.assert(
      fc.property(price, tokens, (at, count) => {
        const over =
          turnCost(at, 0n, count) * 1_000_000n * at.denominator - count * at.koboPer1m * at.numerator
        expect(over >= 0n && over < 1_000_000n * at.denominator).toBe(true)
      }),
    )
  })

  test('of the turns of a run sums to the cost of the run, for any usage and prices', () => {
    fc.assert(
      fc.property(
        price,
        fc.array(fc.tuple(tokens, fc.bigInt(0n, 10n ** 9n)), { maxLength: 30 }),
        (first, turns) => {
          let before = 0n
          let charged = 0n
          for (const [count, koboPer1m] of turns) {
            charged += turnCost({ ...first, koboPer1m }, before, count)
            before += count * koboPer1m
          }
          expect(charged).toBe(minorOf(first, before))
        },
      ),
    )
  })

  test('of a turn in a run is never negative and never higher than that of the turn alone', () => {
    fc.assert(
      fc.property(price, used, tokens, (at, before, count) => {
        const cost = turnCost(at, before, count)
        expect(cost >= 0n && cost <= turnCost(at, 0n, count)).toBe(true)
      }),
    )
  })

  test('of 100,000 calls at a tenth of a unit each is exactly 10,000 units', () => {
    const at = kobo(100_000n)
    let before = 0n
    let charged = 0n
    for (let call = 0; call < 100_000; call++) {
      charged += turnCost(at, before, 1n)
      before += 100_000n
    }
    expect(charged).toBe(10_000n)
  })

  test('is 0 at a price of 0', () => {
    expect(turnCost(kobo(0n), 0n, 10_000_000n)).toBe(0n)
  })

  test('is at least one minor unit for a positive price', () => {
    expect(turnCost(kobo(90_000n, 39n, 10_000n), 0n, 1n)).toBe(1n)
  })
})

describe('the affordable output', () => {
  test('is the largest that the amount pays for', () => {
    fc.assert(
      fc.property(
        price,
        used,
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.bigInt(0n, 10n ** 7n),
        (at, beforeMicroKobo, promptTokens, outputCeiling, amountMinor) => {
          const ceiling = affordableOutput(at, { beforeMicroKobo, promptTokens, outputCeiling }, amountMinor)
          const cost = (output: number) => turnCost(at, beforeMicroKobo, BigInt(promptTokens + output))
          expect(ceiling <= outputCeiling).toBe(true)
          if (ceiling >= 0) expect(cost(ceiling) <= amountMinor).toBe(true)
          if (ceiling < outputCeiling)
            expect(cost(Math.max(ceiling, -promptTokens) + 1) > amountMinor).toBe(true)
        },
      ),
    )
  })

  test('is the requested ceiling at a price of 0', () => {
    const turn = { beforeMicroKobo: 0n, promptTokens: 1_000_000, outputCeiling: 4096 }
    expect(affordableOutput(kobo(0n), turn, 0n)).toBe(4096)
  })
})

const terms: HoldTerms = {
  lane: 'frontier',
  model: 'm',
  currency: 'KES',
  koboPer1m: 1_500_000,
  rateCard: '2026-11',
  rate: { numerator: '89', denominator: '1000' },
  promptTokens: 1000,
  outputCeiling: 500,
  beforeMicroKobo: '1234567',
  beforeMinor: 1n,
}

describe('a charge', () => {
  test('covers the used tokens, up to the reserved ones', () => {
    const before = BigInt(terms.beforeMicroKobo)
    const held = turnCost(priceOfTerms(terms), before, 1500n)
    fc.assert(
      fc.property(fc.bigInt(0n, 4000n), (count) => {
        const { chargedMinor, billedTokens, afterMicroKobo } = calculateCharge(terms, held, count)
        expect(billedTokens).toBe(count < 1500n ? count : 1500n)
        expect(chargedMinor).toBe(turnCost(priceOfTerms(terms), before, billedTokens))
        expect(chargedMinor <= held).toBe(true)
        expect(afterMicroKobo).toBe(before + billedTokens * 1_500_000n)
      }),
    )
  })

  test('never exceeds a reduced hold', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 200n), fc.bigInt(0n, 4000n), (held, count) => {
        expect(calculateCharge(terms, held, count).chargedMinor <= held).toBe(true)
      }),
    )
  })
})

test('stored terms and usage are parsed back unchanged', () => {
  const usage: Usage = { lane: 'open', model: 'm', tokens: 12n, promptTokens: 10, outputTokens: 2 }
  expect(Usage.parse(JSON.parse(toJson(usage)))).toEqual(usage)
  expect(HoldTerms.safeParse({ ...terms, koboPer1m: -1 }).success).toBe(false)
  expect(HoldTerms.safeParse({ ...terms, currency: 'EUR' }).success).toBe(false)
  expect(HoldTerms.parse(terms)).toEqual(terms)
})
