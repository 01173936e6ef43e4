// A subscription as the API shows it.
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { readBalances } from '../../wallet/wallet.ts'
import { nextRenewalAmount } from '../quotes/quote.ts'
import { soldPlan } from './subscription-plan.ts'
import * as sql from './subscriptions.ts'

/** The current subscription, its plan as sold, and the remaining allowance of this month. */
export function readSubscription(app: App, { orgId }: Actor) {
  return app.db.tx(orgId, async (tx) => {
    const subscription = await sql.findCurrentSubscription(tx, orgId)
    const { includedRemainingMinor } = await readBalances(tx, orgId)
    return {
      subscription: subscription ? await viewSubscription(tx, subscription) : null,
      plan: subscription ? soldPlan(subscription) : null,
      includedRemainingMinor,
    }
  })
}

export type SubscriptionView = Awaited<ReturnType<typeof viewSubscription>>

export async function viewSubscription(tx: Tx, subscription: sql.Subscription) {
  const { occupied, openInvoiceId, nextAttemptAt, changeInProgress } = await sql.readBillingState(
    tx,
    subscription,
  )
  const { id, planCode, status, interval, seats, periodStart, periodEnd, currency, isComped } = subscription
  const { scheduledPlanCode, scheduledInterval, cancelAtPeriodEnd, rateCardVersion } = subscription
  return {
    id,
    planCode,
    status,
    interval,
    seats,
    seatsOccupied: occupied,
    currentPeriodStart: periodStart,
    currentPeriodEnd: periodEnd,
    cancelAtPeriodEnd,
    scheduledChange:
      scheduledPlanCode && scheduledInterval
        ? { planCode: scheduledPlanCode, interval: scheduledInterval, effectiveAt: periodEnd }
        : null,
    currency,
    rateCardVersion,
    comped: isComped,
    nextAmountMinor: status === 'canceled' ? 0n : nextRenewalAmount(subscription, occupied),
    openInvoiceId: status === 'past_due' ? openInvoiceId : null,
    nextAttemptAt: status === 'past_due' ? nextAttemptAt : null,
    changeInProgress,
  }
}

/** The current subscription, or else the one that ended last: a paid plan may have ended since. */
export async function viewCurrentSubscription(tx: Tx, orgId: OrgId): Promise<SubscriptionView> {
  const subscription =
    (await sql.findCurrentSubscription(tx, orgId)) ?? (await sql.findLastSubscription(tx, orgId))
  return viewSubscription(tx, present(subscription, 'a paid subscription is never deleted'))
}
