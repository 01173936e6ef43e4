import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Currency, currencies, format, money } from '../../kernel/money.ts'
import { fromKobo, RATE_CARDS, type RateCardVersion } from '../../metering/metering.ts'
import {
  extraSeats,
  isPlanCode,
  isRateCardVersion,
  listPlans,
  PLAN_CODES,
  type PlanCode,
  planOf,
  priceWithSeats,
  rankOf,
} from './plans.ts'

const VERSION = '2026-11'

test.for<[PlanCode, bigint, bigint, bigint, number, string]>([
  ['free', 0n, 0n, 0n, 1, 'individual'],
  ['pro', 950_000n, 1_000_000n, 0n, 1, 'individual'],
  ['team', 3_200_000n, 3_500_000n, 600_000n, 5, 'team'],
  ['enterprise', 25_000_000n, 27_000_000n, 1_000_000n, 20, 'enterprise'],
])(
  '%s costs %i kobo a month',
  ([code, amountMinor, includedUsageMinor, seatPriceMinor, seatAllotment, tier]) => {
    expect(planOf(VERSION, code, 'month', 'NGN')).toMatchObject({
      ...{ code, tier, interval: 'month', currency: 'NGN', amountMinor, includedUsageMinor, seatPriceMinor },
      seatAllotment,
    })
    expect(planOf(VERSION, code, 'year', 'NGN')).toMatchObject({
      amountMinor: amountMinor * 10n,
      seatPriceMinor: seatPriceMinor * 10n,
      includedUsageMinor,
      seatAllotment,
    })
  },
)

test('the list has every monthly plan, then every yearly plan', () => {
  expect(listPlans(VERSION, 'KES').map(({ code, interval }) => `${code}/${interval}`)).toEqual([
    ...['free/month', 'pro/month', 'team/month', 'enterprise/month'],
    ...['free/year', 'pro/year', 'team/year', 'enterprise/year'],
  ])
})

// A wrong currency exponent would be off by a factor of a hundred here.
test.for<[Currency, string, string]>([
  ['NGN', '₦9,500.00', '₦320,000.00'],
  ['KES', 'KSh845.50', 'KSh28,480.00'],
  ['GHS', 'GH₵75.05', 'GH₵2,528.00'],
  ['ZAR', 'R113.05', 'R3,808.00'],
  ['EGP', 'E£314.45', 'E£10,592.00'],
  ['UGX', 'USh23,275', 'USh784,000'],
  ['XOF', 'CFA3,705', 'CFA124,800'],
  ['GNF', 'FG57,000', 'FG1,920,000'],
  ['USD', '$6.56', '$220.80'],
])('in %s Pro is %s a month and Team %s a year', ([currency, month, year]) => {
  expect(format(money(planOf(VERSION, 'pro', 'month', currency).amountMinor, currency))).toBe(month)
  expect(format(money(planOf(VERSION, 'team', 'year', currency).amountMinor, currency))).toBe(year)
})

describe('in every currency of every card', () => {
  const versions = Object.keys(RATE_CARDS) as RateCardVersion[]
  const cases = versions.flatMap((version) => currencies.map((currency) => [version, currency] as const))

  test.for(cases)(
    '%s %s: a higher plan costs and includes more, and a year costs ten months',
    ([version, currency]) => {
      for (const [i, code] of PLAN_CODES.entries()) {
        const [month, year] = [
          planOf(version, code, 'month', currency),
          planOf(version, code, 'year', currency),
        ]
        expect(year.amountMinor).toBe(month.amountMinor * 10n)
        expect(year.seatPriceMinor).toBe(month.seatPriceMinor * 10n)
        expect(year.includedUsageMinor).toBe(month.includedUsageMinor)
        expect(rankOf(code)).toBe(i)
        const lesser = PLAN_CODES[i - 1]
        if (!lesser) continue
        const less = planOf(version, lesser, 'month', currency)
        expect(month.amountMinor > less.amountMinor).toBe(true)
        expect(month.includedUsageMinor > less.includedUsageMinor).toBe(true)
        expect(month.includedUsageMinor > month.amountMinor).toBe(true)
      }
      expect(planOf(version, 'pro', 'month', currency).amountMinor).toBe(
        fromKobo(version, 950_000n, currency).minor,
      )
    },
  )
})

test('the plan includes the seats of its allotment, and each further seat has a price', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PLAN_CODES),
      fc.constantFrom('month' as const, 'year' as const),
      fc.integer({ min: 1, max: 100_000 }),
      (code, interval, seats) => {
        const plan = planOf(VERSION, code, interval, 'NGN')
        const beyond = Math.max(0, seats - plan.seatAllotment)
        expect(extraSeats(plan, seats)).toBe(BigInt(beyond))
        expect(priceWithSeats(plan, seats)).toBe(plan.amountMinor + plan.seatPriceMinor * BigInt(beyond))
      },
    ),
  )
})

test('inherited property names of objects are neither plans nor rate cards', () => {
  for (const name of ['toString', '__proto__', 'constructor', 'Pro', '']) {
    expect(isPlanCode(name)).toBe(false)
    expect(isRateCardVersion(name)).toBe(false)
  }
  expect(isPlanCode('pro') && isRateCardVersion(VERSION)).toBe(true)
})
