// How a plan stands, in plain words.
import { day, moment } from '../app/words.ts'
import { type Currency, formatMoney } from '../money.ts'
import type { Interval, Plan, PlanCode, Subscription, Summary } from './types.ts'

export const PLAN_NAMES: Readonly<Record<PlanCode, string>> = {
  free: 'Free',
  pro: 'Pro',
  team: 'Team',
  enterprise: 'Enterprise',
}

const EVERY: Readonly<Record<Interval, string>> = { month: 'a month', year: 'a year' }

/** `mark` is the shape beside the words: that of a payment in the same situation. */
export type PlanStanding = { mark: 'settled' | 'pending' | 'failed'; words: string }

export function planStanding(subscription: Subscription, plan: Plan | null): PlanStanding {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, scheduledChange, nextAttemptAt } = subscription
  if (status === 'incomplete') return { mark: 'pending', words: 'Begun, and not paid for yet' }
  if (status === 'canceled') return { mark: 'failed', words: 'Ended' }
  if (status === 'past_due')
    return {
      mark: 'failed',
      words: nextAttemptAt ? `Past due: we try your cards again on ${moment(nextAttemptAt)}` : 'Past due',
    }
  if (cancelAtPeriodEnd) return { mark: 'settled', words: `Active, ends on ${day(currentPeriodEnd)}` }
  if (scheduledChange) {
    const { planCode, interval, effectiveAt } = scheduledChange
    const next = `${PLAN_NAMES[planCode]} by the ${interval}`
    return { mark: 'settled', words: `Active, changes to ${next} on ${day(effectiveAt)}` }
  }
  // What costs nothing goes on by itself.
  if (plan?.amountMinor === 0n) return { mark: 'settled', words: 'Active' }
  return { mark: 'settled', words: `Active until ${day(currentPeriodEnd)}, then renewed` }
}

export const priceWords = (
  { amountMinor, interval }: Pick<Plan, 'amountMinor' | 'interval'>,
  currency: Currency,
): string => (amountMinor === 0n ? 'Nothing' : `${formatMoney(amountMinor, currency)} ${EVERY[interval]}`)

/** What a renewal will take, and when; while one is unpaid, and where there will be none, there is no date for it. */
export function nextPaymentWords(
  { status, cancelAtPeriodEnd, nextAmountMinor, currentPeriodEnd }: Subscription,
  currency: Currency,
): string {
  if (cancelAtPeriodEnd || nextAmountMinor === 0n) return 'None'
  const amount = formatMoney(nextAmountMinor, currency)
  return status === 'active' ? `${amount} on ${day(currentPeriodEnd)}` : amount
}

export const seatsWords = ({ occupied, total }: Summary['seats']): string => `${occupied} of ${total} taken`

/** A first plan, or the first that costs something, can be begun. */
export const mayBegin = ({ plan }: Pick<Summary, 'plan'>): boolean => !plan || plan.amountMinor === 0n
