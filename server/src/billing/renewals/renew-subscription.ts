// Renews one subscription whose period is over. The decision is made under the lock of the organisation; the charge
// runs outside of it.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { reconcileCharge } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { abandonBill, type Bill, findChangeInProgress, lockOpenBills } from '../bills/bills.ts'
import { collectBill } from '../bills/collect.ts'
import { isPaidFromWallet } from '../bills/pay-from-wallet.ts'
import { findActiveComp } from '../plans/comps.ts'
import type { PlanCode } from '../plans/plans.ts'
import { quoteRenewal } from '../quotes/quote.ts'
import { applyEffect, endSubscription, schedule } from '../subscriptions/lifecycle.ts'
import { appliesSchedule } from '../subscriptions/subscription-plan.ts'
import { findCurrentSubscription, lockOrg, type Subscription } from '../subscriptions/subscriptions.ts'
import { announceEnd, endUnpaid, type RenewalAttemptOutcome, recordOutcome } from './attempt-outcome.ts'
import { ATTEMPT_LOCK, RETRY_AFTER } from './dunning.ts'
import { mailOwners, noRoomMail } from './mails.ts'
import { findOpenRenewal, prepareBill, type RenewalQuote } from './renewal-bill.ts'
import { clearComped, type DueSubscription, startAttempt } from './renewals-sql.ts'

export type RenewalOutcome =
  | RenewalAttemptOutcome
  /** Renewed at no charge. */
  | 'renewed'
  /** Skipped: another attempt is running, a change is being paid, or the organisation may not be charged. */
  | 'untouched'

type RenewalStep =
  | { readonly do: 'stop'; readonly with: RenewalOutcome }
  | { readonly do: 'reconcile'; readonly reference: string }
  | { readonly do: 'charge'; readonly bill: Bill; readonly attempt: number }

type RenewalRunContext = {
  /** Whether card charges are enabled. */
  readonly hasCards: boolean
  readonly isReconciled: boolean
}

/** Renews or ends one subscription. A concurrent second call finds nothing to do. */
export async function renewSubscription(
  app: App,
  due: DueSubscription,
  hasCards: boolean,
): Promise<RenewalOutcome> {
  const { orgId } = due
  let step = await app.db.tx(orgId, (tx) => decideStep(app, tx, due, { hasCards, isReconciled: false }))
  if (step.do === 'reconcile') {
    await reconcileCharge(app, { orgId, reference: step.reference })
    step = await app.db.tx(orgId, (tx) => decideStep(app, tx, due, { hasCards, isReconciled: true }))
  }
  // Another payment is undecided now; the next run reconciles it.
  if (step.do === 'reconcile') return 'pending'
  return step.do === 'stop' ? step.with : charge(app, step.bill, step.attempt)
}

async function charge(app: App, bill: Bill, attempt: number): Promise<RenewalAttemptOutcome> {
  const collected = await collectBill(app, bill, attempt)
  return app.db.tx(bill.orgId, (tx) => recordOutcome(app, tx, bill, collected))
}

const stop = (renewed: RenewalOutcome): RenewalStep => ({ do: 'stop', with: renewed })

async function decideStep(
  app: App,
  tx: Tx,
  { id, orgId }: DueSubscription,
  context: RenewalRunContext,
): Promise<RenewalStep> {
  const org = await lockOrg(tx, orgId)
  const subscription = await findCurrentSubscription(tx, orgId)
  if (!org || subscription?.id !== id || !isOver(subscription, tx.now)) return stop('untouched')
  if (subscription.cancelAtPeriodEnd)
    return endPlan(app, tx, subscription, 'It was cancelled, and its paid period is over.')
  if (await isBeingChanged(tx, subscription)) return stop('untouched')

  const billed = (await findOpenRenewal(tx, subscription))?.effect
  const upcoming = appliesSchedule(subscription, org.occupied, billed)
    ? subscription
    : { ...subscription, scheduledPlanCode: null, scheduledInterval: null }
  const isComped = await isNextPlanComped(tx, upcoming)
  const renewed = isComped ? asComped(upcoming) : { ...upcoming, isComped }
  const { effect, ...quote } = quoteRenewal(renewed, { now: tx.now, occupied: org.occupied, billed })
  if (!effect) return stop('untouched')
  const renewal = { ...quote, effect }
  const canPay = context.hasCards || isPaidFromWallet(subscription.currency)
  if (renewal.chargeNowMinor > 0n && (!canPay || org.suspended)) return stop('untouched')
  const isCompOver = subscription.isComped && !isComped && renewal.chargeNowMinor > 0n
  // A comped plan has no agreed price, so it ends. A scheduled plan was chosen at its price.
  if (isCompOver && !upcoming.scheduledPlanCode)
    return endPlan(
      app,
      tx,
      subscription,
      'It is no longer free of charge. Start a paid subscription to keep it.',
    )
  if (isCompOver) await clearComped(tx, id)
  const current =
    upcoming === subscription
      ? subscription
      : await dropSchedule(app, tx, subscription, org.occupied, renewal)
  return prepareCharge(app, tx, {
    subscription: current,
    renewal,
    isComped,
    isReconciled: context.isReconciled,
  })
}

type PlannedRenewal = {
  readonly subscription: Subscription
  readonly renewal: RenewalQuote
  readonly isComped: boolean
  readonly isReconciled: boolean
}

async function prepareCharge(
  app: App,
  tx: Tx,
  { subscription, renewal, isComped, isReconciled }: PlannedRenewal,
): Promise<RenewalStep> {
  const readiness = await prepareBill(app, tx, subscription, renewal, isReconciled)
  switch (readiness.is) {
    case 'busy':
      return stop('untouched')
    case 'unreconciled':
      return { do: 'reconcile', reference: readiness.reference }
    case 'undecided':
      return stop('pending')
    case 'exhausted':
      return stop(await endUnpaid(app, tx, subscription))
    case 'ready': {
      const { bill } = readiness
      if (!bill) return renewFree(app, tx, subscription, renewal, isComped)
      // Schedules the next attempt before this one starts: after a crash it is retried then, not at once.
      const attempt = await startAttempt(tx, bill.id, {
        busyUntil: after(tx.now, ATTEMPT_LOCK),
        nextAttemptAt: after(tx.now, RETRY_AFTER),
      })
      return { do: 'charge', bill, attempt }
    }
  }
}

async function renewFree(
  app: App,
  tx: Tx,
  subscription: Subscription,
  { effect }: RenewalQuote,
  isComped: boolean,
): Promise<RenewalStep> {
  const cause = `renewal ${subscription.id} ${effect.periodStart.toISOString()}`
  await applyEffect(app, tx, subscription, effect, cause, { isComped })
  return stop('renewed')
}

async function endPlan(app: App, tx: Tx, subscription: Subscription, reason: string): Promise<RenewalStep> {
  const ended = await endSubscription(app, tx, subscription, reason)
  await announceEnd(app, tx, ended, reason)
  return stop('ended')
}

/**
 * The scheduled plan has too few seats for the members: the current plan continues, and the owners are notified.
 */
async function dropSchedule(
  app: App,
  tx: Tx,
  before: Subscription,
  occupied: number,
  { chargeNowMinor }: RenewalQuote,
): Promise<Subscription> {
  const { orgId, id: target, scheduledPlanCode } = before
  const nothing = { cancelAtPeriodEnd: false, scheduledPlanCode: null, scheduledInterval: null }
  const after = await schedule(tx, before, nothing)
  await mailOwners(app, tx, orgId, noRoomMail(app, before, occupied, chargeNowMinor))
  const metadata = { cleared: true, scheduledPlanCode, occupied }
  await record(tx, { orgId, actor: { kind: 'system' }, action: 'subscription.change', target, metadata })
  return after
}

const isOver = ({ status, periodEnd }: Subscription, now: Date): boolean =>
  (status === 'active' || status === 'past_due') && periodEnd <= now

/** A change that is being paid goes first; an overdue change is abandoned. */
async function isBeingChanged(tx: Tx, { id }: Subscription): Promise<boolean> {
  if (await findChangeInProgress(tx, id)) return true
  for (const bill of await lockOpenBills(tx, id))
    if (bill.kind === 'change' || bill.kind === 'seats')
      await abandonBill(tx, bill, 'It was not paid in time.')
  return false
}

/** A comp is monthly, so that it ends within a month. */
const asComped = (subscription: Subscription): Subscription => ({
  ...subscription,
  planCode: nextPlanCode(subscription),
  interval: 'month',
  scheduledInterval: subscription.scheduledInterval && 'month',
  isComped: true,
})

async function isNextPlanComped(tx: Tx, subscription: Subscription): Promise<boolean> {
  const comp = await findActiveComp(tx, subscription.orgId, tx.now)
  return comp?.planCode === nextPlanCode(subscription)
}

const nextPlanCode = ({ scheduledPlanCode, planCode }: Subscription): PlanCode =>
  scheduledPlanCode ?? planCode
