// Records the outcome of a renewal attempt: paid, retry, or the end of the subscription.
import { record } from '../../audit/audit.ts'
import { assert, present } from '../../kernel/assert.ts'
import { after, before } from '../../kernel/clock.ts'
import { oldestOpenPaymentOf } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Bill, lockBill, setReason } from '../bills/bills.ts'
import type { CollectResult } from '../bills/collect.ts'
import { endSubscription, markPastDue } from '../subscriptions/lifecycle.ts'
import { lockOrg, lockSubscription, type Subscription } from '../subscriptions/subscriptions.ts'
import {
  ACTIVE_WITHOUT_ANSWER,
  ATTEMPT_LOCK,
  afterChallenge,
  afterDecline,
  type DunningDecision,
  RETRY_AFTER,
} from './dunning.ts'
import {
  challengeMail,
  endedMail,
  mailOwners,
  type UnpaidRenewal,
  unansweredMail,
  unpaidMail,
} from './mails.ts'
import { endAttempt, readRetryState } from './renewals-sql.ts'

export type RenewalAttemptOutcome = 'charged' | 'declined' | 'challenged' | 'pending' | 'ended'

/** Records the outcome of an attempt. A payment that settled in the meantime has already decided it. */
export async function recordOutcome(
  app: App,
  tx: Tx,
  { id, orgId }: Pick<Bill, 'id' | 'orgId'>,
  collected: CollectResult,
): Promise<RenewalAttemptOutcome> {
  await lockOrg(tx, orgId)
  const bill = present(await lockBill(tx, id), 'an attempted bill exists')
  if (bill.status === 'paid') return 'charged'
  if (bill.status === 'abandoned') return 'ended'
  assert(collected.outcome !== 'paid', `${bill.id} is paid when its payment settles`)
  const subscription = await lockSubscription(tx, bill.subscriptionId)
  const unpaid = { bill, subscription }
  switch (collected.outcome) {
    case 'challenged':
      return recordChallenge(app, tx, unpaid, collected.authorizationUrl)
    case 'pending':
      return recordPending(app, tx, unpaid)
    case 'declined':
      return recordDecline(app, tx, unpaid, collected.reason)
    case 'no_card':
      return recordDecline(app, tx, unpaid, 'No card can be charged.')
  }
}

/** Ends the subscription after the last attempt failed. */
export async function endUnpaid(app: App, tx: Tx, subscription: Subscription): Promise<'ended'> {
  const reason = 'Its renewal was not paid.'
  const ended = await endSubscription(app, tx, subscription, reason)
  await announceEnd(app, tx, ended, reason)
  return 'ended'
}

/** Notifies the owners and records the end in the audit log. */
export async function announceEnd(app: App, tx: Tx, ended: Subscription, reason: string): Promise<void> {
  await mailOwners(app, tx, ended.orgId, endedMail(app, ended, reason))
  await recordAudit(tx, ended, 'subscription.end', { reason })
}

async function recordDecline(
  app: App,
  tx: Tx,
  unpaid: UnpaidRenewal,
  reason: string,
): Promise<RenewalAttemptOutcome> {
  const { bill, subscription } = unpaid
  const decision = afterDecline(await readDeclineState(tx, bill), tx.now)
  await setReason(tx, bill, reason)
  if (decision.do === 'end') return endUnpaid(app, tx, subscription)
  await scheduleRetry(tx, bill, decision)
  await mailOwners(app, tx, bill.orgId, unpaidMail(app, unpaid, reason, decision.at))
  await markUnpaid(app, tx, unpaid, reason)
  return 'declined'
}

/** The bill stays unpaid until the customer confirms. The confirmation then pays it without another attempt. */
async function recordChallenge(
  app: App,
  tx: Tx,
  unpaid: UnpaidRenewal,
  authorizationUrl: string,
): Promise<RenewalAttemptOutcome> {
  const { bill } = unpaid
  if (!(await isNewChallenge(tx, bill))) return recordPending(app, tx, unpaid)
  const decision = afterChallenge(await readDeclineState(tx, bill), tx.now)
  await scheduleRetry(tx, bill, decision)
  await mailOwners(app, tx, bill.orgId, challengeMail(unpaid, authorizationUrl))
  await markUnpaid(app, tx, unpaid, 'The bank requires a confirmation by the customer.')
  return 'challenged'
}

/**
 * An unknown outcome is not a decline, and no second charge starts. After days without an answer the subscription
 * becomes past due.
 */
async function recordPending(app: App, tx: Tx, unpaid: UnpaidRenewal): Promise<RenewalAttemptOutcome> {
  const { bill, subscription } = unpaid
  const { declines } = await readRetryState(tx, bill.id)
  await endAttempt(tx, bill.id, { declines, nextAttemptAt: after(tx.now, RETRY_AFTER) })
  const isTooLong = tx.now >= after(bill.createdAt, ACTIVE_WITHOUT_ANSWER)
  if (subscription.status === 'active' && isTooLong) {
    await mailOwners(app, tx, bill.orgId, unansweredMail(app, unpaid))
    await markUnpaid(app, tx, unpaid, 'The card provider has not answered for days.')
  }
  return 'pending'
}

/**
 * A challenge from an earlier attempt, or a page that the customer opened, is not new: the customer already knows
 * it.
 */
async function isNewChallenge(tx: Tx, { id }: Bill): Promise<boolean> {
  const [openPayment, { busyUntil }] = [await oldestOpenPaymentOf(tx, id), await readRetryState(tx, id)]
  return (
    openPayment !== undefined &&
    busyUntil !== null &&
    openPayment.createdAt >= before(busyUntil, ATTEMPT_LOCK)
  )
}

async function readDeclineState(tx: Tx, { id, periodStart, createdAt }: Bill) {
  const { declines } = await readRetryState(tx, id)
  return { periodStart: periodStart ?? createdAt, declines }
}

const scheduleRetry = (tx: Tx, { id }: Bill, { declines, at }: Extract<DunningDecision, { do: 'retry' }>) =>
  endAttempt(tx, id, { declines, nextAttemptAt: at })

/** Marks the subscription past due, once. It keeps its plan but loses its allowance. */
async function markUnpaid(
  app: App,
  tx: Tx,
  { bill, subscription }: UnpaidRenewal,
  reason: string,
): Promise<void> {
  if (subscription.status !== 'active') return
  await markPastDue(app, tx, subscription)
  await recordAudit(tx, subscription, 'subscription.fallBehind', { reason, billId: bill.id })
}

const recordAudit = (tx: Tx, { orgId, id }: Subscription, action: string, metadata: object): Promise<void> =>
  record(tx, { orgId, actor: { kind: 'system' }, action, target: id, metadata })
