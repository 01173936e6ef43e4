// Asks the accounts of a route in turn to collect a payment. The next account is asked only when the payer cannot pay twice:
// a page that the payer never received is no risk, a prompt on a phone is one as soon as it may have been sent.
import type { App } from '../../platform/app.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { type ChannelName, isPush } from '../channels.ts'
import { accountOf, isAccountOf } from '../rails/accounts.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import type { InitiationResult, Order } from '../rails/rail.ts'
import { sendToReview } from '../settle/settle.ts'
import {
  type AttemptAccount,
  type AttemptOutcome,
  beginAttempt,
  chooseAccount,
  endAttempt,
  mayBeAnywhere,
  moveToAccount,
} from '../sql/payment-attempts.ts'
import { lockPayment, type Payment, storeHandOff } from '../sql/payments.ts'

const ATTEMPTS_MAX = 3
const DETAIL_CHARACTERS_MAX = 500

export type AttemptsResult =
  | { readonly outcome: 'accepted'; readonly payment: Payment }
  /** `isCertain`: no provider can have the payment. */
  | { readonly outcome: 'rejected'; readonly reason: string; readonly isCertain: boolean }
  /** The last provider knows the reference already. */
  | { readonly outcome: 'known' }
  /** A provider may or may not have accepted it. */
  | { readonly outcome: 'unknown' }
  /** The payment was decided, or got its instructions, by another process. */
  | { readonly outcome: 'ended' }

/** `isNew`: the first attempt was stored with the payment. The calls may take seconds, so they run outside any transaction. */
export async function attemptInTurn(
  app: App,
  { payment, isNew }: { payment: Payment; isNew: boolean },
  route: readonly AttemptAccount[],
  orderFor: (account: AttemptAccount) => Order,
): Promise<AttemptsResult> {
  let last: InitiationResult = { outcome: 'unknown', reason: 'no account was asked' }
  for (const [index, account] of route.slice(0, ATTEMPTS_MAX).entries()) {
    const isStored = isNew && index === 0
    if (!isStored && !(await begin(app, payment, account))) return { outcome: 'ended' }
    last = await attempt(app, account, orderFor(account))
    if (last.outcome === 'accepted')
      return { outcome: 'accepted', payment: await storeAccepted(app, payment, account, last) }
    await end(app, payment, account, last)
    report(app, payment, account, last)
    if (!mayAskNext(payment.channel, last)) break
  }
  if (last.outcome !== 'rejected') return { outcome: last.outcome }
  const isUncertain = await app.db.tx(payment.orgId, (tx) => mayBeAnywhere(tx, payment.reference))
  // A refusal of the last account decides nothing while another provider may have the payment.
  if (isUncertain && last.isAccountProblem) return { outcome: 'unknown' }
  return { outcome: 'rejected', reason: last.reason, isCertain: !isUncertain }
}

/** Whether another account may be asked without a risk that the payer pays twice. */
export function mayAskNext(channel: ChannelName, result: InitiationResult): boolean {
  switch (result.outcome) {
    case 'accepted':
      return false
    case 'rejected':
      return result.isAccountProblem === true
    // The payer never received the page.
    case 'known':
      return !isPush(channel)
    case 'unknown':
      return !isPush(channel) || result.isUnsent === true
  }
}

/** Stores the attempt and makes its account that of the payment, before the call. */
function begin(app: App, payment: Payment, account: AttemptAccount): Promise<boolean> {
  return app.db.tx(payment.orgId, async (tx) => {
    if (!(await chooseAccount(tx, payment.reference, account))) return false
    await beginAttempt(tx, payment, account)
    return true
  })
}

async function attempt(app: App, account: AttemptAccount, order: Order): Promise<InitiationResult> {
  const rail = accountOf(app, { ...account, currency: order.currency })
  if (!rail) return { outcome: 'unknown', reason: 'the keys of this account are not set', isUnsent: true }
  return rail.start(monitoredClient(app, rail), order)
}

function end(app: App, { orgId, reference }: Payment, account: AttemptAccount, result: InitiationResult) {
  return app.db.tx(orgId, (tx) => endAttempt(tx, reference, account, ending(result)))
}

function ending(result: InitiationResult) {
  const providerRef = result.outcome === 'accepted' ? result.providerRef : null
  return {
    outcome: outcomeOf(result),
    providerRef,
    detail: detailOf(result)?.slice(0, DETAIL_CHARACTERS_MAX) ?? null,
  }
}

function outcomeOf(result: InitiationResult): AttemptOutcome {
  if (result.outcome === 'rejected') return result.isAccountProblem ? 'refused' : 'rejected'
  return result.outcome === 'unknown' && result.isUnsent ? 'unsent' : result.outcome
}

function detailOf(result: InitiationResult): string | null {
  if (result.outcome === 'rejected') return result.detail ?? result.reason
  return result.outcome === 'unknown' ? result.reason : null
}

function report(app: App, { reference }: Payment, { rail }: AttemptAccount, result: InitiationResult): void {
  if (result.outcome === 'rejected') {
    app.metrics.payment(rail, 'refused')
    app.log.warn({ rail, reference, detail: result.detail }, 'payments.initiate.refused')
  }
  if (result.outcome === 'unknown') {
    app.metrics.payment(rail, 'unavailable')
    app.log.warn({ rail, reference, reason: result.reason }, 'payments.initiate.unknown')
  }
}

type Accepted = Extract<InitiationResult, { outcome: 'accepted' }>

/** Commits the provider's answer in its own transaction: it must survive a failure of our reply. */
async function storeAccepted(
  app: App,
  { reference, orgId }: Payment,
  account: AttemptAccount,
  result: Accepted,
): Promise<Payment> {
  const { handOff, providerRef } = result
  try {
    return await app.db.tx(orgId, async (tx) => {
      const locked = await lockPayment(tx, reference)
      await endAttempt(tx, reference, account, ending(result))
      if (!locked) throw new Error(`${reference} no longer exists`)
      if (isAccountOf(locked, account)) return storeHandOff(tx, reference, handOff, providerRef)
      // Another process moved the payment during the call. The first instructions are those that the payer gets.
      if (locked.status !== 'pending' || locked.handOff !== null) return locked
      await moveToAccount(tx, reference, { ...account, providerRef })
      return storeHandOff(tx, reference, handOff, providerRef)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'payments_provider_ref')) throw error
    // A status query by this id would return the other payment, so staff must look into it.
    await sendToReview(app, reference, 'The provider gave this payment the id of another payment.')
    return app.db.tx(orgId, (tx) => storeHandOff(tx, reference, { displayText: MIXED_UP }, null))
  }
}

const MIXED_UP =
  'The provider confused this payment with another one. Our staff are looking into it. To pay now, start a new top-up.'
