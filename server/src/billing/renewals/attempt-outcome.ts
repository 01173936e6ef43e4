// What follows when a renewal was tried: nothing more to do, another try, or the end of the subscription.
import { record } from '../../audit/audit.ts'
import { assert, present } from '../../kernel/assert.ts'
import { after, before } from '../../kernel/clock.ts'
import { oldestOpenPaymentOf } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Bill, lockBill, noteReason } from '../bills/bills.ts'
import type { Collected } from '../bills/collect.ts'
import { endSubscription, markPastDue } from '../subscriptions/lifecycle.ts'
import { lockOrg, lockSubscription, type Subscription } from '../subscriptions/subscriptions.ts'
import {
  afterChallenge,
  afterDecline,
  BUSY_FOR,
  RETRY_AFTER,
  UNANSWERED_ACTIVE,
  type Verdict,
} from './dunning.ts'
import { challengeMail, endedMail, tellOwners, unansweredMail, unpaidMail } from './mails.ts'
import { endTry, turnOf } from './renewals-sql.ts'

export type Outcome = 'charged' | 'declined' | 'challenged' | 'pending' | 'ended'

/** Writes down how a try ended. A payment that was settled meanwhile has decided it already. */
export async function noteOutcome(
  app: App,
  tx: Tx,
  { id, orgId }: Pick<Bill, 'id' | 'orgId'>,
  collected: Collected,
): Promise<Outcome> {
  await lockOrg(tx, orgId)
  const bill = present(await lockBill(tx, id), 'a bill that was tried is there')
  if (bill.status === 'paid') return 'charged'
  if (bill.status === 'abandoned') return 'ended'
  assert(collected.outcome !== 'paid', `${bill.id} is paid once its payment is settled`)
  const subscription = await lockSubscription(tx, bill.subscriptionId)
  const unpaid = { bill, subscription }
  switch (collected.outcome) {
    case 'challenged':
      return noteChallenge(app, tx, unpaid, collected.authorizationUrl)
    case 'pending':
      return notePending(app, tx, unpaid)
    case 'declined':
      return noteDecline(app, tx, unpaid, collected.reason)
    case 'no_card':
      return noteDecline(app, tx, unpaid, 'There is no card that can be charged.')
  }
}

/** The last try has failed. */
export async function giveUp(app: App, tx: Tx, subscription: Subscription): Promise<'ended'> {
  const reason = 'Its renewal was not paid.'
  const ended = await endSubscription(app, tx, subscription, reason)
  await recordEnd(app, tx, ended, reason)
  return 'ended'
}

/** Tells everybody concerned that a subscription is over. */
export async function recordEnd(app: App, tx: Tx, ended: Subscription, reason: string): Promise<void> {
  await tellOwners(app, tx, ended.orgId, endedMail(app, ended, reason))
  await recordFact(tx, ended, 'subscription.end', { reason })
}

type Unpaid = { readonly bill: Bill; readonly subscription: Subscription }

async function noteDecline(app: App, tx: Tx, unpaid: Unpaid, reason: string): Promise<Outcome> {
  const { bill, subscription } = unpaid
  const verdict = afterDecline(await standingOf(tx, bill), tx.now)
  await noteReason(tx, bill, reason)
  if (verdict.do === 'end') return giveUp(app, tx, subscription)
  await waitFor(tx, bill, verdict)
  await tellOwners(app, tx, bill.orgId, unpaidMail(app, unpaid, reason, verdict.at))
  await fallBehind(app, tx, unpaid, reason)
  return 'declined'
}

/** Nothing is paid until the customer has confirmed it, and then it is paid without another try. */
async function noteChallenge(app: App, tx: Tx, unpaid: Unpaid, authorizationUrl: string): Promise<Outcome> {
  const { bill } = unpaid
  if (!(await isNewQuestion(tx, bill))) return notePending(app, tx, unpaid)
  const verdict = afterChallenge(await standingOf(tx, bill), tx.now)
  await waitFor(tx, bill, verdict)
  await tellOwners(app, tx, bill.orgId, challengeMail(unpaid, authorizationUrl))
  await fallBehind(app, tx, unpaid, 'The bank wants to hear from its customer.')
  return 'challenged'
}

/** Nobody knows: that is no decline, and no second charge is begun. An answer that never comes is no excuse for ever. */
async function notePending(app: App, tx: Tx, unpaid: Unpaid): Promise<Outcome> {
  const { bill, subscription } = unpaid
  const { declines } = await turnOf(tx, bill.id)
  await endTry(tx, bill.id, { declines, nextAttemptAt: after(tx.now, RETRY_AFTER) })
  const isTooLong = tx.now >= after(bill.createdAt, UNANSWERED_ACTIVE)
  if (subscription.status === 'active' && isTooLong) {
    await tellOwners(app, tx, bill.orgId, unansweredMail(app, unpaid))
    await fallBehind(app, tx, unpaid, 'The card provider has given no answer for days.')
  }
  return 'pending'
}

/** One that was there before this try, or a page that the customer opened to pay on, is known to them: nothing is new. */
async function isNewQuestion(tx: Tx, { id }: Bill): Promise<boolean> {
  const [asked, { busyUntil }] = [await oldestOpenPaymentOf(tx, id), await turnOf(tx, id)]
  return asked !== undefined && busyUntil !== null && asked.createdAt >= before(busyUntil, BUSY_FOR)
}

async function standingOf(tx: Tx, { id, periodStart, createdAt }: Bill) {
  const { declines } = await turnOf(tx, id)
  return { periodStart: periodStart ?? createdAt, declines }
}

const waitFor = (tx: Tx, { id }: Bill, { declines, at }: Extract<Verdict, { do: 'try_again' }>) =>
  endTry(tx, id, { declines, nextAttemptAt: at })

/** The first time only: the plan stays, its allowance does not. */
async function fallBehind(app: App, tx: Tx, { bill, subscription }: Unpaid, reason: string): Promise<void> {
  if (subscription.status !== 'active') return
  await markPastDue(app, tx, subscription)
  await recordFact(tx, subscription, 'subscription.fallBehind', { reason, billId: bill.id })
}

const recordFact = (tx: Tx, { orgId, id }: Subscription, action: string, metadata: object): Promise<void> =>
  record(tx, { orgId, actor: { kind: 'system' }, action, target: id, metadata })
