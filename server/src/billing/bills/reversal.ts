// Ends a plan whose payment was reversed, and credits the unused rest of its other payments.
import { format, money, scaleHalfUp } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { credit } from '../../wallet/wallet.ts'
import { remainingSeconds } from '../calendar.ts'
import { prorate } from '../quotes/proration.ts'
import { announceEnd } from '../renewals/attempt-outcome.ts'
import { endSubscription } from '../subscriptions/lifecycle.ts'
import { paidForPeriod } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import type { Bill } from './bills.ts'

/**
 * Ends a plan because the wallet lacks `shortMinor` of a reversed payment. Credits the wallet with the unused part
 * of the period beyond that amount.
 */
export async function endReversedPlan(
  app: App,
  tx: Tx,
  subscription: Subscription,
  { reference, shortMinor, reason }: { reference: string; shortMinor: bigint; reason: string },
): Promise<void> {
  const { id, orgId, currency, periodStart, periodEnd } = subscription
  const unusedMinor = prorate(paidForPeriod(subscription), { start: periodStart, end: periodEnd }, tx.now)
  const ended = await endSubscription(app, tx, subscription, reason)
  if (unusedMinor <= shortMinor) return announceEnd(app, tx, ended, reason)
  const amountMinor = unusedMinor - shortMinor
  await credit(app, tx, {
    ...{ orgId, amountMinor, source: 'subscription', ref: id, account: 'subscriptions' },
    cause: `unused ${id} ${reference}`,
  })
  const back = `${format(money(amountMinor, currency))} for the unused part of its period is in your wallet.`
  await announceEnd(app, tx, ended, `${reason} ${back}`)
}

/**
 * Scales a refund to a whole period. A change paid only for the rest of its period, so a refund of it weighs more
 * per period.
 */
export function refundPerPeriod(
  amountMinor: bigint,
  { kind, endedAt }: Bill,
  { currency, periodStart, periodEnd }: Subscription,
): bigint {
  if (endedAt === null || kind === 'renewal' || kind === 'checkout') return amountMinor
  const { remaining, total } = remainingSeconds({ start: periodStart, end: periodEnd }, endedAt)
  return remaining === 0n ? amountMinor : scaleHalfUp(money(amountMinor, currency), total, remaining).minor
}
