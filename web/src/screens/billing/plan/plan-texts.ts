// Texts for the state of a plan.
import type { BillingSummary, Plan, Subscription } from '@cowrie/sdk'
import { formatDate, formatDateTime } from '../../../i18n/format.ts'
import { type Currency, formatMoney } from '../../../i18n/money.ts'
import { msg, t, tn } from '../../../i18n/t.ts'

export type Interval = Plan['interval']

/** Product names, the same in every language. */
export const PLAN_NAMES: Readonly<Record<Plan['code'], string>> = {
  free: 'Free',
  pro: 'Pro',
  team: 'Team',
  enterprise: 'Enterprise',
}

const PRICE: Readonly<Record<Interval, string>> = {
  month: msg('{amount} a month'),
  year: msg('{amount} a year'),
}
const NAME_BY: Readonly<Record<Interval, string>> = {
  month: msg('{plan}, monthly'),
  year: msg('{plan}, yearly'),
}

export type PlanStatus = { chip: 'ok' | 'warn' | 'bad'; label: string; words: string }
type Known = Pick<
  Subscription,
  'status' | 'currentPeriodEnd' | 'cancelAtPeriodEnd' | 'scheduledChange' | 'nextAttemptAt'
>

export function planStatus(subscription: Known, plan: Pick<Plan, 'amountMinor'> | null): PlanStatus {
  const { status, currentPeriodEnd, cancelAtPeriodEnd, scheduledChange } = subscription
  if (status === 'incomplete')
    return { chip: 'warn', label: t('Not paid yet'), words: t('Starts when the first payment arrives.') }
  if (status === 'canceled') return { chip: 'bad', label: t('Ended'), words: '' }
  if (status === 'past_due')
    return { chip: 'bad', label: t('Past due'), words: t('Your last renewal is unpaid.') }
  const date = formatDate(scheduledChange?.effectiveAt ?? currentPeriodEnd)
  if (cancelAtPeriodEnd) return { chip: 'warn', label: t('Cancelled'), words: t('Ends on {date}', { date }) }
  if (scheduledChange)
    return {
      chip: 'warn',
      label: t('Scheduled'),
      words: t('Changes on {date} to {plan}', { date, plan: planBy(scheduledChange) }),
    }
  const active = { chip: 'ok', label: t('Active') } as const
  // A free plan has no renewal.
  return { ...active, words: plan?.amountMinor === 0n ? '' : t('Renews on {date}', { date }) }
}

/** When the cards are charged again; not at all after the last attempt. */
export const retryText = ({ nextAttemptAt }: Pick<Subscription, 'nextAttemptAt'>): string =>
  nextAttemptAt
    ? t('We will charge your cards again on {moment}.', { moment: formatDateTime(nextAttemptAt) })
    : t('We will not charge your cards again automatically.')

const planBy = ({ planCode, interval }: NonNullable<Subscription['scheduledChange']>): string =>
  t(NAME_BY[interval], { plan: PLAN_NAMES[planCode] })

export const priceText = (
  { amountMinor, interval }: Pick<Plan, 'amountMinor' | 'interval'>,
  currency: Currency,
): string =>
  amountMinor === 0n ? t('Free') : t(PRICE[interval], { amount: formatMoney(amountMinor, currency) })

/** Amount and date of the next renewal. There is none while a renewal is unpaid. */
export function nextPaymentText(
  {
    status,
    cancelAtPeriodEnd,
    nextAmountMinor,
    currentPeriodEnd,
  }: Pick<Subscription, 'status' | 'cancelAtPeriodEnd' | 'nextAmountMinor' | 'currentPeriodEnd'>,
  currency: Currency,
): string {
  if (cancelAtPeriodEnd || nextAmountMinor === 0n) return t('None')
  return status === 'active'
    ? billText(nextAmountMinor, currentPeriodEnd, currency)
    : formatMoney(nextAmountMinor, currency)
}

export const billText = (amountMinor: bigint, at: string, currency: Currency): string =>
  amountMinor === 0n
    ? t('None')
    : t('{amount} on {date}', { amount: formatMoney(amountMinor, currency), date: formatDate(at) })

export const seatsText = ({ occupied, total }: Pick<BillingSummary['seats'], 'occupied' | 'total'>): string =>
  t('{occupied} of {total} used', { occupied, total })

export const seatCount = (seats: number): string => tn(seats, '{n} seat', '{n} seats')

/** A first plan, or the first paid plan, is started; any other is changed. */
export const canStartPlan = ({ plan }: { plan: Pick<Plan, 'amountMinor'> | null }): boolean =>
  !plan || plan.amountMinor === 0n

/** The saving of a year against twelve months, or null. */
export function yearlySaving(plans: readonly Plan[], code: Plan['code']): bigint | null {
  const priceOf = (interval: Interval) =>
    plans.find((plan) => plan.code === code && plan.interval === interval)?.amountMinor ?? 0n
  const saved = priceOf('month') * 12n - priceOf('year')
  return priceOf('year') > 0n && saved > 0n ? saved : null
}
