// Changes the plan or the interval. An upgrade happens now and charges the difference. A downgrade waits for the
// end of the period. Choosing the current plan clears a scheduled change.
import { record } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { credit } from '../../wallet/wallet.ts'
import type { Bill } from '../bills/bills.ts'
import type { Interval } from '../calendar.ts'
import { findActiveComp } from '../plans/comps.ts'
import { planOf } from '../plans/plans.ts'
import type { Effect } from '../quotes/effect.ts'
import { planTarget, quoteToCharge } from '../quotes/previews.ts'
import {
  changeDirection,
  type PlanTarget,
  type Quote,
  quoteComp,
  quoteDowngrade,
  quoteUpgrade,
} from '../quotes/quote.ts'
import { applyEffect, schedule } from '../subscriptions/lifecycle.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { viewCurrentSubscription, viewSubscription } from '../subscriptions/view.ts'
import { type ChangeContext, lockForChange, requireEnoughSeats, requirePlanCode } from './change-context.ts'
import {
  type ChangeIntent,
  findEarlierBill,
  openChangeBill,
  payChange,
  reconcileOverdueChange,
} from './pay-change.ts'

export type ChangeInput = { readonly planCode: string; readonly interval?: Interval | undefined }

export async function changePlan(app: App, actor: Actor, input: ChangeInput, once: Once, ip: string) {
  const { orgId } = actor
  const intent: ChangeIntent = { actor, once, ip, action: 'subscription.change' }
  await reconcileOverdueChange(app, intent)
  const bill = await app.db.tx(orgId, (tx) => openUpgrade(app, tx, intent, input))
  if (!bill) return once.commit(orgId, (tx) => changeWithoutCharge(app, tx, intent, input))
  await payChange(app, bill)
  return once.commit(orgId, async (tx) => ({
    changed: true as const,
    chargedMinor: bill.amountMinor,
    walletCreditMinor: 0n,
    subscription: await viewCurrentSubscription(tx, orgId),
  }))
}

/** The bill of an upgrade; null if the change costs nothing now. */
async function openUpgrade(app: App, tx: Tx, intent: ChangeIntent, input: ChangeInput): Promise<Bill | null> {
  const planCode = requirePlanCode(input.planCode)
  const earlier = await findEarlierBill(
    tx,
    intent,
    (effect, { interval }) =>
      effect.planCode === planCode && effect.interval === (input.interval ?? interval),
  )
  if (earlier) return earlier
  const context = await lockForChange(app, tx, intent.actor.orgId)
  const target = targetOf(context, { ...input, planCode })
  if (changeDirection(context.subscription, target) !== 'up') return null
  const { quote } = await quoteFor(tx, context, target)
  return quote.chargeNowMinor > 0n ? openChangeBill(app, tx, intent, context, quote) : null
}

async function changeWithoutCharge(app: App, tx: Tx, intent: ChangeIntent, input: ChangeInput) {
  const context = await lockForChange(app, tx, intent.actor.orgId)
  const target = targetOf(context, { ...input, planCode: requirePlanCode(input.planCode) })
  switch (changeDirection(context.subscription, target)) {
    case 'same':
      return clearSchedule(tx, intent, context)
    case 'down':
      return downgrade(tx, intent, context, target)
    default:
      return upgradeWithoutCharge(app, tx, intent, context, target)
  }
}

const targetOf = (
  { subscription }: ChangeContext,
  {
    planCode,
    interval = subscription.interval,
  }: Omit<PlanTarget, 'interval'> & Pick<ChangeInput, 'interval'>,
): PlanTarget => ({ planCode, interval })

type PricedChange = { readonly quote: Quote & { effect: Effect }; readonly isComped: boolean }

/** The price that was quoted within the last hour, or the current price. A comped plan costs nothing. */
async function quoteFor(
  tx: Tx,
  { subscription, org, pricing }: ChangeContext,
  target: PlanTarget,
): Promise<PricedChange> {
  requireEnoughSeats(planOf(pricing.version, target.planCode, target.interval, subscription.currency), org)
  const comp = await findActiveComp(tx, subscription.orgId, tx.now)
  if (comp?.planCode === target.planCode)
    return { quote: quoteComp(subscription, target.planCode, pricing), isComped: true }
  const quote = await quoteToCharge(tx, subscription, planTarget(target), () =>
    quoteUpgrade(subscription, target, pricing),
  )
  const effect = present(quote.effect, `an upgrade of ${subscription.id} has an effect`)
  return { quote: { ...quote, effect }, isComped: false }
}

async function upgradeWithoutCharge(
  app: App,
  tx: Tx,
  intent: ChangeIntent,
  context: ChangeContext,
  target: PlanTarget,
) {
  const { subscription: before } = context
  const { quote, isComped } = await quoteFor(tx, context, target)
  // The earlier transaction found no charge; the subscription has changed since.
  if (quote.chargeNowMinor > 0n) throw new ApiError('change_in_progress')
  const cause = `change ${before.id} ${before.version}`
  const after = await applyEffect(app, tx, before, quote.effect, cause, { isComped })
  const { walletCreditMinor } = quote
  await creditWallet(app, tx, after, walletCreditMinor, cause)
  await recordChange(tx, intent, before, { ...target, walletCreditMinor })
  const subscription = await viewSubscription(tx, after)
  return { changed: true as const, chargedMinor: 0n, walletCreditMinor, subscription }
}

async function creditWallet(
  app: App,
  tx: Tx,
  { orgId, id }: Subscription,
  amountMinor: bigint,
  cause: string,
) {
  if (amountMinor === 0n) return
  const account = 'subscriptions'
  await credit(app, tx, { orgId, amountMinor, source: 'subscription', ref: id, cause, account })
}

async function downgrade(tx: Tx, intent: ChangeIntent, context: ChangeContext, target: PlanTarget) {
  const { subscription: before, org, pricing } = context
  requireEnoughSeats(planOf(before.rateCardVersion, target.planCode, target.interval, before.currency), org)
  const { effectiveAt } = quoteDowngrade(before, target, pricing)
  const isScheduled =
    before.scheduledPlanCode === target.planCode && before.scheduledInterval === target.interval
  if (isScheduled)
    return { scheduled: true as const, effectiveAt, subscription: await viewSubscription(tx, before) }
  const after = await schedule(tx, before, {
    cancelAtPeriodEnd: false,
    scheduledPlanCode: target.planCode,
    scheduledInterval: target.interval,
  })
  await recordChange(tx, intent, before, { ...target, effectiveAt })
  return { scheduled: true as const, effectiveAt, subscription: await viewSubscription(tx, after) }
}

async function clearSchedule(tx: Tx, intent: ChangeIntent, { subscription: before }: ChangeContext) {
  const { cancelAtPeriodEnd, scheduledPlanCode } = before
  if (!cancelAtPeriodEnd && !scheduledPlanCode)
    return { cleared: true as const, subscription: await viewSubscription(tx, before) }
  const cleared = { cancelAtPeriodEnd: false, scheduledPlanCode: null, scheduledInterval: null }
  const after = await schedule(tx, before, cleared)
  await recordChange(tx, intent, before, { cleared: true, cancelAtPeriodEnd, scheduledPlanCode })
  return { cleared: true as const, subscription: await viewSubscription(tx, after) }
}

const recordChange = (
  tx: Tx,
  { actor, ip, action }: ChangeIntent,
  { orgId, id }: Subscription,
  metadata: object,
) => record(tx, { orgId, actor, ip, action, target: id, metadata })
