import {
  BEGAN,
  END,
  HALF,
  instantOf,
  later,
  linesAddUp,
  newSubscription,
  passed,
  pricingAt,
  subscription,
  target,
  to,
  VERSION,
  withEffect,
} from '@cowrie/testkit/billing/quote.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths } from '../calendar.ts'
import { allowanceChangeAt } from './allowance.ts'
import { changeDirection, type PlanTarget, type Quote, quoteUpgrade } from './quote.ts'

describe('an upgrade', () => {
  test('within the interval costs the difference for the rest of the period', () => {
    const quote = quoteUpgrade(newSubscription(), to('team'), pricingAt(HALF))
    expect(quote).toEqual({
      lines: [
        { description: 'Team by the month, 2026-11-30 to 2026-12-15', quantity: 1, amountMinor: 1_600_000n },
        { description: 'Unused time on Pro', quantity: 1, amountMinor: -475_000n },
      ],
      chargeNowMinor: 1_125_000n,
      creditMinor: 475_000n,
      walletCreditMinor: 0n,
      effectiveAt: HALF,
      nextAmountMinor: 3_200_000n,
      effect: {
        ...{ planCode: 'team', interval: 'month', rateCardVersion: VERSION, seats: 5, seatsPaid: 5 },
        ...{ anchor: BEGAN, periodStart: BEGAN, periodEnd: END, allowanceMinor: 1_250_000n },
      },
    })
  })

  test('to a year starts a new period and deducts the unused time', () => {
    const quote = quoteUpgrade(newSubscription(), to('pro', 'year'), pricingAt(HALF))
    expect(quote).toMatchObject({
      chargeNowMinor: 9_500_000n - 475_000n,
      creditMinor: 475_000n,
      nextAmountMinor: 9_500_000n,
      effect: { anchor: HALF, periodStart: HALF, periodEnd: addMonths(HALF, 12), allowanceMinor: 500_000n },
    })
  })

  test('from a year to a more expensive month credits the excess to the wallet', () => {
    const year = newSubscription({ interval: 'year' })
    const quote = quoteUpgrade(year, to('team'), pricingAt(BEGAN))
    expect(quote).toMatchObject({
      chargeNowMinor: 0n,
      creditMinor: 9_500_000n,
      walletCreditMinor: 6_300_000n,
      effect: { interval: 'month', periodEnd: END },
    })
    expect(linesAddUp(quote)).toBe(true)
  })

  test('keeps the used seats and lists their price', () => {
    const team = newSubscription({ planCode: 'team', seats: 30 })
    const quote = quoteUpgrade(team, to('enterprise'), pricingAt(HALF))
    expect(quote.lines).toEqual([
      expect.objectContaining({ quantity: 1, amountMinor: 12_500_000n }),
      {
        description: 'Seats beyond the 20 of Enterprise, until 2026-12-15',
        quantity: 10,
        amountMinor: 5_000_000n,
      },
      { description: 'Unused time on Team and 25 more seats', quantity: 1, amountMinor: -9_100_000n },
    ])
    expect(quote.effect).toMatchObject({ seats: 30, seatsPaid: 30 })
  })

  test('never lists a negative price for seats, not even in the last second', () => {
    const team = newSubscription({ planCode: 'team', currency: 'KES', seats: 21 })
    const quote = quoteUpgrade(team, to('enterprise'), pricingAt(later(team.periodEnd, -1)))
    expect(quote.lines[1]).toMatchObject({ quantity: 1, amountMinor: 0n })
    expect(linesAddUp(quote)).toBe(true)
  })

  test('of a year whose new month is not granted yet grants the full month of the new plan', () => {
    const year = newSubscription({ interval: 'year' })
    const now = later(END, 60)
    for (const expected of [to('team', 'year'), to('team')])
      expect(quoteUpgrade(year, expected, pricingAt(now)).effect?.allowanceMinor).toBeNull()
    const granted = { ...year, allowanceDueAt: addMonths(BEGAN, 2) }
    expect(quoteUpgrade(granted, to('team', 'year'), pricingAt(now)).effect?.allowanceMinor).toBe(2_499_944n)
  })

  test('credits seats that were paid and removed', () => {
    const team = newSubscription({ planCode: 'team', seats: 5, seatsPaid: 15 })
    const { creditMinor, effect } = quoteUpgrade(team, to('enterprise'), pricingAt(HALF))
    expect(creditMinor).toBe((3_200_000n + 6_000_000n) / 2n)
    expect(effect).toMatchObject({ seats: 20, seatsPaid: 20 })
  })

  test('of a comped plan costs the full price from now on, without credit', () => {
    const context = newSubscription({ planCode: 'team', isComped: true })
    expect(quoteUpgrade(context, to('enterprise'), pricingAt(HALF))).toMatchObject({
      chargeNowMinor: 25_000_000n,
      creditMinor: 0n,
      effect: { anchor: HALF, allowanceMinor: 27_000_000n - 1_750_000n },
    })
  })

  test('at the end of a period that awaits its renewal costs nothing and adds no allowance', () => {
    expect(quoteUpgrade(newSubscription(), to('enterprise'), pricingAt(later(END, 60)))).toMatchObject({
      chargeNowMinor: 0n,
      effect: { periodEnd: END, allowanceMinor: 0n },
    })
  })

  test('below the minimum card charge is waived and buys no allowance', () => {
    const dollars = newSubscription({ currency: 'USD' })
    const now = later(END, -3 * 86_400)
    const charged = quoteUpgrade(dollars, to('team'), pricingAt(now))
    expect(charged.chargeNowMinor).toBe(155n)
    const waived = quoteUpgrade(dollars, to('team'), pricingAt(now, { minChargeMinor: 200n }))
    expect(waived).toMatchObject({
      chargeNowMinor: 0n,
      walletCreditMinor: 0n,
      effect: { planCode: 'team', allowanceMinor: 0n },
    })
    expect(waived.lines.at(-1)).toMatchObject({ amountMinor: -155n })
    expect(linesAddUp(waived)).toBe(true)
  })

  test('for any change the lines add up, nothing is negative, and the charge is at most the price', () => {
    fc.assert(
      fc.property(
        subscription,
        target,
        passed,
        fc.bigInt(0n, 100_000n),
        fc.integer({ min: 1, max: 50 }),
        (current, expected, thousandths, minChargeMinor, occupied) => {
          const context = pricingAt(instantOf(current, thousandths), { minChargeMinor, occupied })
          const quote = quoteUpgrade(current, expected, context)
          expect(linesAddUp(quote)).toBe(true)
          expect(quote.chargeNowMinor >= 0n && quote.walletCreditMinor >= 0n).toBe(true)
          expect(quote.chargeNowMinor === 0n || quote.walletCreditMinor === 0n).toBe(true)
          expect(quote.chargeNowMinor === 0n || quote.chargeNowMinor >= minChargeMinor).toBe(true)
          expect(quote.chargeNowMinor <= quote.nextAmountMinor).toBe(true)
          expect(quote.walletCreditMinor <= quote.creditMinor).toBe(true)
          for (const line of quote.lines)
            expect(line.amountMinor >= 0n || /^(Unused time|Below the minimum)/.test(line.description)).toBe(
              true,
            )
          const { effect } = quote
          expect(effect && effect.seats >= 1 && effect.periodEnd > effect.periodStart).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('in two steps within a second costs and grants the same as one step', () => {
    fc.assert(
      fc.property(subscription, target, target, passed, (drawn, middle, end, thousandths) => {
        // Its month was granted.
        const start = { ...drawn, allowanceDueAt: null }
        fc.pre(changeDirection(start, middle) === 'up' && changeDirection(middle, end) === 'up')
        // Seats that only the intermediate plan needs are a separate purchase.
        fc.pre(start.seats <= 5 && start.seatsPaid === start.seats && thousandths < 1_000)
        const now = instantOf(start, thousandths)
        const one = quoteUpgrade(start, end, pricingAt(now))
        const first = quoteUpgrade(start, middle, pricingAt(now))
        if (!first.effect || !one.effect) throw new Error('an upgrade has an effect')
        const second = quoteUpgrade(withEffect(start, first.effect, now), end, pricingAt(now))
        // Through a yearly plan a new month starts and more time is bought.
        fc.pre(second.effect?.periodEnd.getTime() === one.effect.periodEnd.getTime())
        const costOf = (quote: Quote) => quote.chargeNowMinor - quote.walletCreditMinor
        const addedBy = ({ effect }: Quote) => effect?.allowanceMinor ?? 0n
        const apart = costOf(first) + costOf(second) - costOf(one)
        const context = addedBy(first) + addedBy(second) - addedBy(one)
        expect(apart <= 1n && apart >= -1n).toBe(true)
        expect(context <= 1n && context >= -1n).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('gets cheaper over time if the period continues, and more expensive if a new one starts', () => {
    fc.assert(
      fc.property(subscription, target, passed, passed, (current, expected, one, other) => {
        fc.pre(changeDirection(current, expected) === 'up')
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)].map((thousandths) => {
          const quote = quoteUpgrade(current, expected, pricingAt(instantOf(current, thousandths)))
          return { due: quote.chargeNowMinor - quote.walletCreditMinor, start: quote.effect?.periodStart }
        })
        if (!sooner || !later) throw new Error('both were quoted')
        const goesOn = sooner.start?.getTime() === later.start?.getTime() && sooner.due >= 0n
        if (goesOn) expect(sooner.due >= later.due).toBe(true)
        else if (current.interval !== expected.interval) expect(sooner.due <= later.due).toBe(true)
      }),
    )
  })
})

test.for<[PlanTarget, PlanTarget, 'same' | 'up' | 'down']>([
  [to('pro'), to('pro'), 'same'],
  [to('pro'), to('pro', 'year'), 'up'],
  [to('pro', 'year'), to('pro'), 'down'],
  [to('pro', 'year'), to('team'), 'up'],
  [to('team'), to('pro', 'year'), 'down'],
  [to('free'), to('pro'), 'up'],
  [to('enterprise', 'year'), to('free', 'year'), 'down'],
])('from %j to %j is %s', ([from, expected, direction]) => {
  expect(changeDirection(from, expected)).toBe(direction)
})

test('a year bought in the first second of its month and paid a day later has its whole first month', () => {
  const subscription = newSubscription({ planCode: 'team' })
  const { effect } = quoteUpgrade(
    subscription,
    { planCode: 'enterprise', interval: 'year' },
    pricingAt(BEGAN),
  )
  const paidAt = new Date(BEGAN.getTime() + 86_400_000)
  // The rest of the previous month is returned with the money.
  expect(effect && allowanceChangeAt(subscription, effect, paidAt)).toBe(27_000_000n - 3_383_333n)
})
