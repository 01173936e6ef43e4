// Simulates a customer who changes, uses, waits and renews at random, and compares the cost with the value of every
// second.

import { BEGAN, newSubscription, pricingAt, VERSION, withEffect } from '@cowrie/testkit/billing/quote.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Interval, monthAt, wholeSecond } from '../calendar.ts'
import { INTERVALS, PLAN_CODES, type PlanCode, planOf } from '../plans/plans.ts'
import { paidForPeriod, soldPlan } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { changeDirection, quoteRenewal, quoteSeats, quoteUpgrade } from './quote.ts'

type Step =
  | { kind: 'use'; part: number }
  | { kind: 'wait'; hours: number }
  | { kind: 'plan'; planCode: PlanCode; interval: Interval }
  | { kind: 'schedule'; planCode: PlanCode; interval: Interval }
  | { kind: 'seats'; seats: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('use' as const), part: fc.integer({ min: 0, max: 100 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('use' as const), part: fc.constant(100) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 0, max: 900 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('plan' as const, 'schedule' as const),
      planCode: fc.constantFrom(...PLAN_CODES),
      interval: fc.constantFrom(...INTERVALS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('seats' as const), seats: fc.integer({ min: 1, max: 40 }) }),
  },
)

const lengthOf = ({ start, end }: { start: Date; end: Date }) => end.getTime() - start.getTime()

class Customer {
  readonly minChargeMinor: bigint
  now = BEGAN
  subscription: Subscription
  /** Payments minus credits. */
  netMinor: number
  /** The value of the elapsed time at the prices it was sold at. */
  servedMinor = 0
  waivedMinor = 0
  changes = 0
  left: number
  used = 0
  /** The allowance of the elapsed months, each plan for its part. */
  includedMinor = 0
  /** The allowance that was paid for. It is below that of the plan after a waived charge. */
  monthMinor: number

  constructor(planCode: PlanCode, interval: Interval, minChargeMinor: bigint) {
    this.minChargeMinor = minChargeMinor
    this.subscription = newSubscription({ planCode, interval })
    const plan = planOf(VERSION, planCode, interval, 'NGN')
    this.netMinor = Number(plan.amountMinor)
    this.left = Number(plan.includedUsageMinor)
    this.monthMinor = this.left
  }

  do(step: Step): void {
    if (step.kind === 'use') this.#use(step.part)
    else if (step.kind === 'wait') this.#waitUntil(new Date(this.now.getTime() + step.hours * 3_600_000))
    else if (step.kind === 'schedule') this.#schedule(step)
    else if (step.kind === 'plan') this.#upgrade(step)
    else this.#changeSeats(step.seats)
  }

  /** The paid time that is still to come. */
  get unusedMinor(): number {
    const { periodStart: start, periodEnd: end } = this.subscription
    const paid = Number(paidForPeriod(this.subscription))
    return (paid * (end.getTime() - this.now.getTime())) / lengthOf({ start, end })
  }

  get rightOfUse(): number {
    const month = monthAt(this.subscription.anchor, this.now)
    return (
      this.includedMinor + (this.monthMinor * (month.end.getTime() - this.now.getTime())) / lengthOf(month)
    )
  }

  #use(part: number): void {
    const usedNow = Math.floor((this.left * part) / 100)
    this.left -= usedNow
    this.used += usedNow
  }

  #pass(to: Date): void {
    const { periodStart: start, periodEnd: end, anchor } = this.subscription
    const spent = to.getTime() - this.now.getTime()
    this.servedMinor += (Number(paidForPeriod(this.subscription)) * spent) / lengthOf({ start, end })
    this.includedMinor += (this.monthMinor * spent) / lengthOf(monthAt(anchor, this.now))
    this.now = to
  }

  #waitUntil(until: Date): void {
    for (let boundary = 0; boundary < 50; boundary++) {
      const { end } = monthAt(this.subscription.anchor, this.now)
      if (end > until) break
      this.#pass(end)
      if (end >= this.subscription.periodEnd) this.#renew()
      this.monthMinor = Number(soldPlan(this.subscription).includedUsageMinor)
      this.left = this.monthMinor
    }
    this.#pass(until)
  }

  #renew(): void {
    const { effect, chargeNowMinor } = quoteRenewal(this.subscription, { now: this.now, occupied: 1 })
    if (!effect) throw new Error('a renewal has an effect')
    this.netMinor += Number(chargeNowMinor)
    const schedule = { scheduledPlanCode: null, scheduledInterval: null }
    this.subscription = { ...withEffect(this.subscription, effect, this.now), ...schedule }
  }

  #schedule({ planCode, interval }: { planCode: PlanCode; interval: Interval }): void {
    if (changeDirection(this.subscription, { planCode, interval }) !== 'down') return
    this.subscription = { ...this.subscription, scheduledPlanCode: planCode, scheduledInterval: interval }
  }

  #upgrade({ planCode, interval }: { planCode: PlanCode; interval: Interval }): void {
    const target = { planCode, interval }
    if (changeDirection(this.subscription, target) !== 'up') return
    this.#changeTo(quoteUpgrade(this.subscription, target, this.#given))
  }

  #changeSeats(seats: number): void {
    if (soldPlan(this.subscription).seatPriceMinor === 0n) return
    this.#changeTo(quoteSeats(this.subscription, seats, this.#given))
  }

  get #given() {
    return pricingAt(this.now, { minChargeMinor: this.minChargeMinor })
  }

  #changeTo({ effect, lines, chargeNowMinor, walletCreditMinor }: ReturnType<typeof quoteSeats>): void {
    if (!effect) throw new Error('a change has an effect')
    const before = this.unusedMinor
    const waived = lines.find(({ description }) => description.startsWith('Below the minimum'))
    const isNewPlan =
      effect.planCode !== this.subscription.planCode || effect.interval !== this.subscription.interval
    this.netMinor += Number(chargeNowMinor - walletCreditMinor)
    this.changes++
    this.subscription = withEffect(this.subscription, effect, wholeSecond(this.now))
    if (waived) this.waivedMinor += this.unusedMinor - before
    if (isNewPlan && effect.allowanceMinor !== 0n)
      this.monthMinor = Number(soldPlan(this.subscription).includedUsageMinor)
    this.left = Math.max(0, this.left + Number(effect.allowanceMinor ?? 0n))
  }
}

const start = fc.constantFrom(...PLAN_CODES)
const steps = fc.array(step, { minLength: 1, maxLength: 25 })

test('a customer pays exactly for the elapsed and the remaining paid time', () => {
  fc.assert(
    fc.property(start, fc.constantFrom(...INTERVALS), steps, (planCode, interval, done) => {
      const customer = new Customer(planCode, interval, 0n)
      for (const each of done) {
        customer.do(each)
        const apart = customer.netMinor - customer.servedMinor - customer.unusedMinor
        expect(Math.abs(apart)).toBeLessThan(customer.changes + 0.5)
      }
    }),
    { numRuns: 200 },
  )
})

test('no order of using, changing and waiting gives more allowance than was paid for', () => {
  fc.assert(
    fc.property(
      start,
      fc.constantFrom(...INTERVALS),
      fc.constantFrom(0n, 5_000n, 200_000n),
      steps,
      (planCode, interval, minChargeMinor, done) => {
        const customer = new Customer(planCode, interval, minChargeMinor)
        for (const each of done) {
          customer.do(each)
          expect(customer.used + customer.left).toBeLessThan(customer.rightOfUse + customer.changes + 0.5)
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('only amounts below the minimum charge are waived', () => {
  fc.assert(
    fc.property(start, fc.constantFrom(...INTERVALS), steps, (planCode, interval, done) => {
      const customer = new Customer(planCode, interval, 5_000n)
      for (const each of done) customer.do(each)
      const apart = customer.netMinor - customer.servedMinor - customer.unusedMinor + customer.waivedMinor
      expect(Math.abs(apart)).toBeLessThan(customer.changes + 0.5)
      expect(customer.waivedMinor).toBeLessThan(5_000 * (customer.changes + 1))
    }),
    { numRuns: 100 },
  )
})
