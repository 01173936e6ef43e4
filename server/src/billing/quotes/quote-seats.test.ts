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
import { INTERVALS, planOf } from '../plans/plans.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import {
  nextRenewalAmount,
  type PlanTarget,
  quoteComp,
  quoteDowngrade,
  quoteRenewal,
  quoteSeats,
  quoteStart,
  quoteUpgrade,
} from './quote.ts'

describe('a downgrade', () => {
  test('costs nothing now and waits for the end of the period', () => {
    const team = newSubscription({ planCode: 'team' })
    expect(quoteDowngrade(team, to('pro'), pricingAt(HALF))).toMatchObject({
      ...{ chargeNowMinor: 0n, creditMinor: 0n, walletCreditMinor: 0n, lines: [], effect: null },
      effectiveAt: END,
      nextAmountMinor: 950_000n,
    })
  })

  test('to a lower plan renews with the occupied seats, and the same plan with the bought seats', () => {
    const enterprise = newSubscription({ planCode: 'enterprise', seats: 30, interval: 'year' })
    const occupied = 12
    const scheduledTo = (wanted: PlanTarget) => ({
      ...enterprise,
      scheduledPlanCode: wanted.planCode,
      scheduledInterval: wanted.interval,
    })
    for (const [wanted, seats, amountMinor] of [
      [to('team'), 12, 3_200_000n + 7n * 600_000n],
      [to('enterprise'), 30, 25_000_000n + 10n * 1_000_000n],
      [to('free'), 1, 0n],
    ] as const) {
      expect(quoteDowngrade(enterprise, wanted, pricingAt(HALF, { occupied })).nextAmountMinor).toBe(
        amountMinor,
      )
      const renewal = quoteRenewal(scheduledTo(wanted), { now: enterprise.periodEnd, occupied })
      expect(renewal).toMatchObject({ chargeNowMinor: amountMinor, effect: { seats, allowanceMinor: null } })
    }
  })
})

describe('seats', () => {
  const team = newSubscription({ planCode: 'team' })

  test('that are added are charged for the rest of the period, each at its price', () => {
    const quote = quoteSeats(team, 8, pricingAt(HALF))
    expect(quote).toMatchObject({
      chargeNowMinor: 900_000n,
      nextAmountMinor: 5_000_000n,
      lines: [{ quantity: 3, amountMinor: 900_000n }],
      effect: { seats: 8, seatsPaid: 8, allowanceMinor: 0n, periodEnd: END },
    })
  })

  test('that are removed and added again within the period cost nothing', () => {
    const eight = { ...team, seats: 8, seatsPaid: 8 }
    const fewer = quoteSeats(eight, 5, pricingAt(HALF))
    expect(fewer).toMatchObject({ chargeNowMinor: 0n, lines: [], effect: { seats: 5, seatsPaid: 8 } })
    if (!fewer.effect) throw new Error('seats have an effect')
    const again = quoteSeats(withEffect(eight, fewer.effect, HALF), 9, pricingAt(HALF))
    expect(again).toMatchObject({ chargeNowMinor: 300_000n, lines: [{ quantity: 1 }] })
    expect(quoteSeats(withEffect(eight, fewer.effect, HALF), 8, pricingAt(HALF)).chargeNowMinor).toBe(0n)
  })

  test('within the allotment are included in the plan', () => {
    const three = { ...team, seats: 3, seatsPaid: 3 }
    expect(quoteSeats(three, 5, pricingAt(HALF)).chargeNowMinor).toBe(0n)
    expect(quoteSeats(three, 6, pricingAt(HALF))).toMatchObject({
      chargeNowMinor: 300_000n,
      lines: [{ quantity: 1 }],
    })
  })

  test('of a comped plan are free', () => {
    const context = { ...team, isComped: true, seats: 3 }
    expect(quoteSeats(context, 5, pricingAt(HALF))).toMatchObject({
      ...{ chargeNowMinor: 0n, nextAmountMinor: 0n },
      effect: { seats: 5 },
    })
  })

  test('added one by one below the minimum charge are charged together, and give no credit before', () => {
    const now = later(END, -5 * 3_600)
    const context = pricingAt(now, { minChargeMinor: 5_000n })
    let current = team
    let paidMinor = 0n
    for (let seats = 6; seats <= 55; seats++) {
      const { chargeNowMinor, effect } = quoteSeats(current, seats, context)
      if (!effect) throw new Error('seats have an effect')
      paidMinor += chargeNowMinor
      current = withEffect(current, effect, now)
      const unusedMinor = quoteUpgrade(current, to('enterprise', 'year'), context).creditMinor
      const ofPlanMinor = quoteUpgrade(team, to('enterprise', 'year'), context).creditMinor
      expect(unusedMinor - ofPlanMinor <= paidMinor + 50n).toBe(true)
    }
    const worthMinor = (50n * 600_000n * 5n) / 720n
    expect(paidMinor > worthMinor - 5_000n && paidMinor <= worthMinor + 50n).toBe(true)
  })

  test('always add up, and never cost more than their full price', () => {
    fc.assert(
      fc.property(subscription, fc.integer({ min: 1, max: 200 }), passed, (current, seats, thousandths) => {
        fc.pre(planOf(VERSION, current.planCode, current.interval, current.currency).seatPriceMinor > 0n)
        const quote = quoteSeats(current, seats, pricingAt(instantOf(current, thousandths)))
        expect(linesAddUp(quote)).toBe(true)
        const { seatPriceMinor } = planOf(VERSION, current.planCode, current.interval, current.currency)
        const added = BigInt(Math.max(0, seats - current.seatsPaid))
        expect(quote.chargeNowMinor <= seatPriceMinor * added && quote.chargeNowMinor >= 0n).toBe(true)
        if (seats <= current.seatsPaid) expect(quote.chargeNowMinor).toBe(0n)
      }),
    )
  })
})

describe('a renewal', () => {
  test('charges plan and seats, and counts its months from the first anchor', () => {
    const anchor = new Date('2027-01-31T09:00:00.000Z')
    const team = newSubscription({ planCode: 'team', seats: 7, seatsPaid: 9, anchor })
    expect(quoteRenewal(team, { now: team.periodEnd, occupied: 2 })).toMatchObject({
      chargeNowMinor: 4_400_000n,
      lines: [
        { quantity: 1, amountMinor: 3_200_000n },
        { quantity: 2, amountMinor: 1_200_000n },
      ],
      effect: {
        ...{ seats: 7, seatsPaid: 7, anchor, allowanceMinor: null },
        periodStart: new Date('2027-02-28T09:00:00.000Z'),
        periodEnd: new Date('2027-03-31T09:00:00.000Z'),
      },
    })
  })

  test('of a comped plan is free, unless it changes to another plan', () => {
    const context = newSubscription({ planCode: 'team', isComped: true })
    const at = { now: END, occupied: 1 }
    expect(quoteRenewal(context, at)).toMatchObject({ chargeNowMinor: 0n, lines: [] })
    const scheduled = { ...context, scheduledPlanCode: 'pro', scheduledInterval: 'month' } as const
    expect(quoteRenewal(scheduled, at).chargeNowMinor).toBe(950_000n)
  })

  test('has a seat for every member where seats are sold, and otherwise the same number', () => {
    const team = newSubscription({ planCode: 'team', seats: 3 })
    for (const [occupied, seats, amountMinor] of [
      [3, 3, 3_200_000n],
      [9, 9, 3_200_000n + 4n * 600_000n],
    ] as const)
      expect(quoteRenewal(team, { now: END, occupied })).toMatchObject({
        chargeNowMinor: amountMinor,
        effect: { seats, seatsPaid: seats },
      })
    expect(quoteRenewal(newSubscription(), { now: END, occupied: 9 }).effect?.seats).toBe(1)
    const context = newSubscription({ planCode: 'team', seats: 30, isComped: true })
    expect(quoteRenewal(context, { now: END, occupied: 6 }).effect?.seats).toBe(6)
  })

  test('uses the scheduled plan only if it has enough seats, was billed, or is free', () => {
    const into = (scheduledPlanCode: 'pro' | 'free') =>
      ({ ...newSubscription({ planCode: 'team' }), scheduledPlanCode, scheduledInterval: 'month' }) as const
    const at = { now: END, occupied: 6 }
    expect(quoteRenewal(into('pro'), at)).toMatchObject({ chargeNowMinor: 3_800_000n, effect: { seats: 6 } })
    expect(quoteRenewal(into('free'), at)).toMatchObject({ chargeNowMinor: 0n, effect: { planCode: 'free' } })
    const billed = quoteRenewal(into('pro'), { now: END, occupied: 1 }).effect ?? undefined
    expect(quoteRenewal(into('pro'), { ...at, billed }).chargeNowMinor).toBe(950_000n)
  })

  test('with a bill keeps its period while the period runs', () => {
    const now = later(END, 10 * 86_400)
    const billed = quoteRenewal(newSubscription(), { now, occupied: 1 }).effect ?? undefined
    expect(billed).toMatchObject({ anchor: now, periodStart: now, periodEnd: addMonths(now, 1) })
    const at = (seconds: number) =>
      quoteRenewal(newSubscription(), { now: later(now, seconds), occupied: 1, billed }).effect
    for (const seconds of [-86_400, 0, 86_400, 30 * 86_400]) expect(at(seconds)).toEqual(billed)
    expect(at(31 * 86_400)?.periodStart).toEqual(later(now, 31 * 86_400))
  })

  test('into another interval starts where the period ended', () => {
    const year = {
      ...newSubscription({ interval: 'year' }),
      scheduledPlanCode: 'pro',
      scheduledInterval: 'month',
    } as const
    expect(quoteRenewal(year, { now: year.periodEnd, occupied: 1 }).effect).toMatchObject({
      ...{ interval: 'month', periodStart: year.periodEnd, periodEnd: addMonths(BEGAN, 13) },
    })
  })

  test('is announced with its amount, and with zero after a cancellation', () => {
    fc.assert(
      fc.property(
        subscription,
        target,
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        (current, wanted, isScheduled, occupied) => {
          const then: Subscription = isScheduled
            ? { ...current, scheduledPlanCode: wanted.planCode, scheduledInterval: wanted.interval }
            : current
          const { chargeNowMinor } = quoteRenewal(then, { now: then.periodEnd, occupied })
          expect(nextRenewalAmount(then, occupied)).toBe(chargeNowMinor)
          expect(nextRenewalAmount({ ...then, cancelAtPeriodEnd: true }, occupied)).toBe(0n)
        },
      ),
    )
  })
})

describe('a start', () => {
  const PAID = { isComped: false, occupied: 1 }

  test('and an upgrade cost at least the occupied seats', () => {
    const plan = planOf(VERSION, 'team', 'month', 'NGN')
    const quote = quoteStart(plan, VERSION, BEGAN, { ...PAID, occupied: 25 })
    expect(quote).toMatchObject({
      chargeNowMinor: 15_200_000n,
      nextAmountMinor: 15_200_000n,
      lines: [{ amountMinor: 3_200_000n }, { quantity: 20, amountMinor: 12_000_000n }],
      effect: { seats: 25, seatsPaid: 25 },
    })
    const up = quoteUpgrade(newSubscription(), to('team'), pricingAt(HALF, { occupied: 25 }))
    expect(up).toMatchObject({
      chargeNowMinor: 7_600_000n - 475_000n,
      nextAmountMinor: 15_200_000n,
      effect: { seats: 25, seatsPaid: 25 },
    })
    expect(linesAddUp(quote) && linesAddUp(up)).toBe(true)
  })

  test.for(['pro', 'team', 'enterprise'] as const)(
    'of %s has its monthly and its yearly price',
    (planCode) => {
      for (const each of INTERVALS) {
        const plan = planOf(VERSION, planCode, each, 'NGN')
        const quote = quoteStart(plan, VERSION, new Date(BEGAN.getTime() + 999), PAID)
        expect(quote).toMatchObject({
          chargeNowMinor: plan.amountMinor,
          effectiveAt: BEGAN,
          effect: {
            planCode,
            interval: each,
            anchor: BEGAN,
            seats: plan.seatAllotment,
            allowanceMinor: null,
          },
        })
        expect(linesAddUp(quote)).toBe(true)
      }
    },
  )

  test('of a comped plan is monthly for any requested interval, so that it ends soon after the comp', () => {
    const year = planOf(VERSION, 'team', 'year', 'NGN')
    expect(quoteStart(year, VERSION, BEGAN, { isComped: true, occupied: 1 })).toMatchObject({
      chargeNowMinor: 0n,
      effect: { interval: 'month', periodEnd: END },
    })
  })

  test('of a comped plan after a paid one credits the unused time', () => {
    const quote = quoteComp(newSubscription(), 'team', pricingAt(HALF))
    expect(quote).toMatchObject({
      ...{ chargeNowMinor: 0n, creditMinor: 475_000n, walletCreditMinor: 475_000n, nextAmountMinor: 0n },
      effect: { planCode: 'team', interval: 'month', anchor: HALF, allowanceMinor: 3_000_000n },
    })
    expect(linesAddUp(quote)).toBe(true)
    const team = newSubscription({ planCode: 'team', seats: 30 })
    for (const [occupied, seats] of [
      [12, 20],
      [25, 25],
    ] as const)
      expect(quoteComp(team, 'enterprise', pricingAt(HALF, { occupied })).effect).toMatchObject({
        seats,
        seatsPaid: seats,
      })
  })
})
