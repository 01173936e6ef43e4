// Locks a subscription that can be changed now, with the inputs of a quote. The lock of the organisation keeps them
// valid.
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { cardRange, hasLiveCards } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { findChangeInProgress } from '../bills/bills.ts'
import { seatLimit } from '../plans/entitlements.ts'
import { isPlanCode, type Plan, type PlanCode, planRateCard } from '../plans/plans.ts'
import type { PricingContext } from '../quotes/quote.ts'
import { isFree } from '../subscriptions/subscription-plan.ts'
import {
  type BilledOrg,
  findCurrentSubscription,
  lockOrg,
  type Subscription,
} from '../subscriptions/subscriptions.ts'

export type ChangeContext = {
  readonly org: BilledOrg
  readonly subscription: Subscription
  readonly pricing: PricingContext
}

/** Throws `no_subscription`, `subscription_past_due` or `change_in_progress`. */
export async function lockForChange(app: App, tx: Tx, orgId: OrgId): Promise<ChangeContext> {
  const org = await lockBilledOrg(tx, orgId)
  const subscription = await findCurrentSubscription(tx, orgId)
  if (!subscription || subscription.status === 'incomplete') throw new ApiError('no_subscription')
  if (subscription.status === 'past_due') throw new ApiError('subscription_past_due')
  // The renewal that is due decides first. A later change must not alter it.
  if (subscription.periodEnd <= tx.now)
    throw new ApiError('change_in_progress', { error: renewalDueMessage(app, subscription) })
  if (await findChangeInProgress(tx, subscription.id)) throw new ApiError('change_in_progress')
  const { occupied, currency } = org
  const minChargeMinor = cardRange(currency)?.minMinor ?? 0n
  return {
    org,
    subscription,
    pricing: { now: tx.now, version: planRateCard(app), occupied, minChargeMinor },
  }
}

/** The error message while a renewal is due. */
function renewalDueMessage(app: App, subscription: Subscription): string {
  const isPaid = !subscription.isComped && !isFree(subscription)
  return isPaid && cardRange(subscription.currency) !== null && !hasLiveCards(app)
    ? 'The period of this subscription has ended. It cannot be renewed here, because no card provider is configured. Cancel it and start a new one.'
    : 'The period of this subscription has ended and it is being renewed. Try again in a few minutes.'
}

export const lockBilledOrg = async (tx: Tx, orgId: OrgId): Promise<BilledOrg> =>
  present(await lockOrg(tx, orgId), 'the caller has an organisation')

export function requirePlanCode(code: string): PlanCode {
  if (!isPlanCode(code)) throw new ApiError('plan_not_found')
  return code
}

/** A plan without seats for sale must have enough seats for all members. */
export function requireEnoughSeats(plan: Plan, { type, occupied }: BilledOrg): void {
  const seats = seatLimit(plan, type)
  if (seats === null || occupied <= seats) return
  throw new ApiError('seats_below_occupied', {
    error: `${plan.name} has ${seats === 1 ? 'one seat' : `${seats} seats`}, and your organisation has ${occupied} members. Remove members first.`,
    occupied,
    seats,
  })
}
