import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJson } from '../../kernel/json.ts'
import { currencies } from '../../kernel/money.ts'
import {
  affordableOutput,
  type ClassPrices,
  calculateCharge,
  HoldTerms,
  maxTurnCost,
  microKoboOf,
  minorOf,
  minTurnCost,
  priceOfTerms,
  type TokenCounts,
  type TokenPrice,
  turnCost,
  Usage,
} from './hold-pricing.ts'

const koboPer1m = fc.bigInt(0n, 10n ** 9n)
const classPrices = fc.record<ClassPrices>({
  input: koboPer1m,
  output: koboPer1m,
  cachedInput: koboPer1m,
  cacheWrite: koboPer1m,
})
const classes = fc.option(classPrices, { nil: null })

const price = fc.record<TokenPrice>({
  lane: fc.constantFrom('open', 'frontier'),
  currency: fc.constantFrom(...currencies),
  koboPer1m,
  classes,
  rateCard: fc.constant('2026-11'),
  numerator: fc.bigInt(1n, 10n ** 6n),
  denominator: fc.bigInt(1n, 10n ** 6n),
})
const used = fc.bigInt(0n, 10n ** 18n)

/** Sometimes with more cached and written tokens than the prompt has. */
const countsUpTo = (max: number) =>
  fc.record<TokenCounts>({
    promptTokens: fc.integer({ min: 0, max }),
    cachedTokens: fc.option(fc.integer({ min: 0, max }), { nil: undefined }),
    cacheWriteTokens: fc.option(fc.integer({ min: 0, max }), { nil: undefined }),
    outputTokens: fc.integer({ min: 0, max }),
  })
const counts = countsUpTo(10 ** 7)

const kobo = (koboPer1m: bigint, numerator = 1n, denominator = 1n): TokenPrice => ({
  lane: 'open',
  currency: 'NGN',
  koboPer1m,
  classes: null,
  rateCard: '2026-11',
  numerator,
  denominator,
})
const prompt = (promptTokens: number): TokenCounts => ({ promptTokens, outputTokens: 0 })
const equalClasses = (each: bigint): ClassPrices => ({
  input: each,
  output: each,
  cachedInput: each,
  cacheWrite: each,
})

describe('the cost', () => {
  test('is the exact product rounded up once', () => {
    fc.assert(
      fc.property(price, counts, (at, count) => {
        const over =
          turnCost(at, 0n, count) * 1_000_000n * at.denominator - microKoboOf(at, count) * at.numerator
        expect(over >= 0n && over < 1_000_000n * at.denominator).toBe(true)
      }),
    )
  })

  test('of the turns of a run sums to the cost of the run, for any usage and prices', () => {
    fc.assert(
      fc.property(
        price,
        fc.array(fc.tuple(counts, koboPer1m, classes), { maxLength: 30 }),
        (first, turns) => {
          let before = 0n
          let charged = 0n
          for (const [count, single, byClass] of turns) {
            const at = { ...first, koboPer1m: single, classes: byClass }
            charged += turnCost(at, before, count)
            before += microKoboOf(at, count)
          }
          expect(charged).toBe(minorOf(first, before))
        },
      ),
    )
  })

  test('of a turn in a run is never negative and never higher than that of the turn alone', () => {
    fc.assert(
      fc.property(price, used, counts, (at, before, count) => {
        const cost = turnCost(at, before, count)
        expect(cost >= 0n && cost <= turnCost(at, 0n, count)).toBe(true)
      }),
    )
  })

  test('is between the cost of the cheapest and of the dearest input, whatever the provider caches', () => {
    fc.assert(
      fc.property(price, used, counts, (at, before, count) => {
        const { promptTokens, outputTokens } = count
        expect(turnCost(at, before, count) <= maxTurnCost(at, before, promptTokens, outputTokens)).toBe(true)
        expect(turnCost(at, 0n, count) >= minTurnCost(at, promptTokens, outputTokens)).toBe(true)
      }),
    )
  })

  test('counts each token class at its price, and no token twice', () => {
    const at = {
      ...kobo(1n),
      classes: { input: 300_000n, output: 1_500_000n, cachedInput: 30_000n, cacheWrite: 375_000n },
    }
    const all = { promptTokens: 1000, cachedTokens: 600, cacheWriteTokens: 300, outputTokens: 50 }
    expect(microKoboOf(at, all)).toBe(100n * 300_000n + 600n * 30_000n + 300n * 375_000n + 50n * 1_500_000n)
    expect(microKoboOf(at, prompt(1000))).toBe(1000n * 300_000n)
  })

  test('of implausible cache counts takes the cheaper class first and never more than the prompt', () => {
    const at = {
      ...kobo(1n),
      classes: { input: 300_000n, output: 0n, cachedInput: 30_000n, cacheWrite: 375_000n },
    }
    const wrong = { promptTokens: 1000, cachedTokens: 800, cacheWriteTokens: 900, outputTokens: 0 }
    expect(microKoboOf(at, wrong)).toBe(800n * 30_000n + 200n * 375_000n)
    expect(microKoboOf(at, { ...wrong, cachedTokens: 5000 })).toBe(1000n * 30_000n)
    const other = { ...at, classes: { ...at.classes, cachedInput: 400_000n } }
    expect(microKoboOf(other, wrong)).toBe(900n * 375_000n + 100n * 400_000n)
  })

  test('of 100,000 calls at a tenth of a unit each is exactly 10,000 units', () => {
    const at = kobo(100_000n)
    let before = 0n
    let charged = 0n
    for (let call = 0; call < 100_000; call++) {
      charged += turnCost(at, before, prompt(1))
      before += 100_000n
    }
    expect(charged).toBe(10_000n)
  })

  test('is 0 at a price of 0', () => {
    expect(turnCost(kobo(0n), 0n, prompt(10_000_000))).toBe(0n)
  })

  test('is at least one minor unit for a positive price', () => {
    expect(turnCost(kobo(90_000n, 39n, 10_000n), 0n, prompt(1))).toBe(1n)
  })
})

describe('the affordable output', () => {
  const small = fc.integer({ min: 0, max: 10_000 })

  test('is the largest that the amount pays for', () => {
    fc.assert(
      fc.property(
        price,
        used,
        small,
        small,
        fc.bigInt(0n, 10n ** 7n),
        (at, beforeMicroKobo, promptTokens, outputCeiling, amountMinor) => {
          const ceiling = affordableOutput(at, { beforeMicroKobo, promptTokens, outputCeiling }, amountMinor)
          const cost = (output: number) => maxTurnCost(at, beforeMicroKobo, promptTokens, output)
          expect(ceiling <= outputCeiling).toBe(true)
          if (ceiling >= 0) expect(cost(ceiling) <= amountMinor).toBe(true)
          if (ceiling < outputCeiling) expect(cost(Math.max(ceiling + 1, 0)) > amountMinor).toBe(true)
        },
      ),
    )
  })

  test('is the requested ceiling at a price of 0', () => {
    const turn = { beforeMicroKobo: 0n, promptTokens: 1_000_000, outputCeiling: 4096 }
    expect(affordableOutput(kobo(0n), turn, 0n)).toBe(4096)
  })

  test('of a model with free output depends on the prompt alone', () => {
    const at = { ...kobo(1n), classes: { ...equalClasses(90_000n), output: 0n } }
    const turn = { beforeMicroKobo: 0n, promptTokens: 1000, outputCeiling: 4096 }
    expect(affordableOutput(at, turn, 90n)).toBe(4096)
    expect(affordableOutput(at, turn, 89n)).toBe(-1)
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

const storedClasses = (each: ClassPrices) => ({
  input: `${each.input}`,
  output: `${each.output}`,
  cachedInput: Number(each.cachedInput),
  cacheWrite: Number(each.cacheWrite),
})

const anyTerms = fc
  .tuple(classes, koboPer1m, used, fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9999 }))
  .map(
    ([byClass, single, before, promptTokens, outputCeiling]): HoldTerms => ({
      ...terms,
      koboPer1m: Number(byClass?.input ?? single),
      ...(byClass && { classPrices: storedClasses(byClass) }),
      promptTokens,
      outputCeiling,
      beforeMicroKobo: `${before}`,
    }),
  )

/** The amount of an uncut hold, and less for a hold that was cut. */
const heldFor = (at: HoldTerms, percent: number): bigint => {
  const worst = maxTurnCost(priceOfTerms(at), BigInt(at.beforeMicroKobo), at.promptTokens, at.outputCeiling)
  return (worst * BigInt(percent)) / 100n
}
const percent = fc.oneof(fc.constant(100), fc.integer({ min: 0, max: 100 }))
const someCounts = countsUpTo(20_000)

describe('a charge', () => {
  test('covers the used tokens, up to the reserved ones', () => {
    const before = BigInt(terms.beforeMicroKobo)
    const held = turnCost(priceOfTerms(terms), before, prompt(1500))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), (count) => {
        const { chargedMinor, billedTokens, afterMicroKobo } = calculateCharge(terms, held, prompt(count))
        expect(billedTokens).toBe(count < 1500 ? BigInt(count) : 1500n)
        expect(chargedMinor).toBe(turnCost(priceOfTerms(terms), before, prompt(Number(billedTokens))))
        expect(chargedMinor <= held).toBe(true)
        expect(afterMicroKobo).toBe(before + billedTokens * 1_500_000n)
      }),
    )
  })

  test('never exceeds the hold, cut or not, and is the exact cost of usage within the limits', () => {
    fc.assert(
      fc.property(anyTerms, percent, someCounts, (at, part, count) => {
        const held = heldFor(at, part)
        const { chargedMinor, billedTokens, afterMicroKobo, usedMicroKobo } = calculateCharge(at, held, count)
        const before = BigInt(at.beforeMicroKobo)
        expect(chargedMinor >= 0n && chargedMinor <= held).toBe(true)
        expect(afterMicroKobo >= before && afterMicroKobo <= before + usedMicroKobo).toBe(true)
        const within = count.promptTokens <= at.promptTokens && count.outputTokens <= at.outputCeiling
        if (part < 100 || !within) return
        expect(chargedMinor).toBe(turnCost(priceOfTerms(at), before, count))
        expect(billedTokens).toBe(BigInt(count.promptTokens + count.outputTokens))
      }),
    )
  })

  test('of a hold of nothing is nothing', () => {
    const byClass = { input: 1, output: 1_000_000_000, cachedInput: 1, cacheWrite: 1 }
    const at = { ...terms, beforeMicroKobo: '0', classPrices: byClass }
    expect(calculateCharge(at, 0n, { promptTokens: 10, outputTokens: 10 })).toMatchObject({
      chargedMinor: 0n,
      billedTokens: 0n,
      afterMicroKobo: 0n,
    })
  })

  test('never falls when more tokens of any class are used', () => {
    const more = fc.record({
      input: fc.nat(500),
      cachedInput: fc.nat(500),
      cacheWrite: fc.nat(500),
      output: fc.nat(500),
    })
    fc.assert(
      fc.property(anyTerms, percent, someCounts, more, (at, part, { promptTokens, outputTokens }, add) => {
        const held = heldFor(at, part)
        const less: TokenCounts = { promptTokens, cachedTokens: 0, cacheWriteTokens: 0, outputTokens }
        const most: TokenCounts = {
          promptTokens: promptTokens + add.input + add.cachedInput + add.cacheWrite,
          cachedTokens: add.cachedInput,
          cacheWriteTokens: add.cacheWrite,
          outputTokens: outputTokens + add.output,
        }
        const [low, high] = [calculateCharge(at, held, less), calculateCharge(at, held, most)]
        expect(high.chargedMinor >= low.chargedMinor).toBe(true)
        expect(high.afterMicroKobo >= low.afterMicroKobo).toBe(true)
      }),
    )
  })

  test('at equal prices of all classes is that of the single price', () => {
    fc.assert(
      fc.property(anyTerms, percent, someCounts, (at, part, count) => {
        const { classPrices: _, ...single } = at
        const each = BigInt(at.koboPer1m)
        const held = heldFor(single, part)
        const byClass = { ...single, classPrices: storedClasses(equalClasses(each)) }
        expect(heldFor(byClass, part)).toBe(held)
        const one = calculateCharge(single, held, count)
        const other = calculateCharge(byClass, held, count)
        // At a price of 0, no class has a limit.
        expect(each === 0n ? { ...other, billedTokens: one.billedTokens } : other).toEqual(one)
      }),
    )
  })

  test('at a single price is exactly that of the formula before token classes', () => {
    fc.assert(
      fc.property(anyTerms, percent, someCounts, (at, part, count) => {
        const { classPrices: _, ...single } = at
        const held = heldFor(single, part)
        const { chargedMinor, billedTokens, afterMicroKobo } = calculateCharge(single, held, count)
        expect({ chargedMinor, billedTokens, afterMicroKobo }).toEqual(
          formerCharge(single, held, BigInt(count.promptTokens + count.outputTokens)),
        )
      }),
    )
  })

  test('of the turns of a run at class prices sums to its rounded total', () => {
    fc.assert(
      fc.property(classPrices, fc.array(countsUpTo(5000), { maxLength: 12 }), (byClass, turns) => {
        let spentMicroKobo = 0n
        let charged = 0n
        for (const count of turns) {
          const at = {
            ...terms,
            classPrices: storedClasses(byClass),
            promptTokens: 5000,
            outputCeiling: 5000,
            beforeMicroKobo: `${spentMicroKobo}`,
          }
          const { chargedMinor, afterMicroKobo } = calculateCharge(at, heldFor(at, 100), count)
          charged += chargedMinor
          spentMicroKobo = afterMicroKobo
        }
        const at = { ...priceOfTerms(terms), classes: byClass }
        const exact = turns.reduce((sum, count) => sum + microKoboOf(at, count), 0n)
        expect([spentMicroKobo, charged]).toEqual([exact, minorOf(at, exact)])
      }),
    )
  })
})

/** The charge as it was calculated when every token had one price. */
function formerCharge(at: HoldTerms, heldMinor: bigint, count: bigint) {
  const each = priceOfTerms(at)
  const before = BigInt(at.beforeMicroKobo)
  const perToken = each.koboPer1m * each.numerator
  const room = (minorOf(each, before) + heldMinor) * 1_000_000n * each.denominator - before * each.numerator
  const limit = BigInt(at.promptTokens + at.outputCeiling)
  const paid = perToken === 0n ? limit : room / perToken
  const most = paid < limit ? paid : limit
  const billedTokens = count < most ? count : most
  const afterMicroKobo = before + billedTokens * each.koboPer1m
  return { chargedMinor: minorOf(each, afterMicroKobo) - minorOf(each, before), billedTokens, afterMicroKobo }
}

test('stored terms and usage are parsed back unchanged', () => {
  const usage: Usage = {
    lane: 'open',
    model: 'm',
    tokens: 12n,
    promptTokens: 10,
    cacheWriteTokens: 3,
    outputTokens: 2,
  }
  expect(Usage.parse(JSON.parse(toJson(usage)))).toEqual(usage)
  expect(HoldTerms.safeParse({ ...terms, koboPer1m: -1 }).success).toBe(false)
  expect(HoldTerms.safeParse({ ...terms, currency: 'EUR' }).success).toBe(false)
  expect(HoldTerms.parse(terms)).toEqual(terms)
  const withClasses = { ...terms, classPrices: { input: '3', output: 4, cachedInput: '0', cacheWrite: 5 } }
  expect(HoldTerms.parse(withClasses)).toEqual(withClasses)
  expect(priceOfTerms(withClasses).classes).toEqual({
    input: 3n,
    output: 4n,
    cachedInput: 0n,
    cacheWrite: 5n,
  })
  expect(HoldTerms.safeParse({ ...terms, classPrices: { input: '3' } }).success).toBe(false)
})
