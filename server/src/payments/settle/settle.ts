// Settlement: the only place that credits a payment. Webhooks, redirects, verification, the sweeper and staff all call it
// with the provider's status. A payment is credited once, however often and concurrently it is called.
import { assert, present } from '../../kernel/assert.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { shareOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { isAccountOf } from '../rails/accounts.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import { type Attempt, moveToAccount, repeatsOf } from '../sql/payment-attempts.ts'
import * as sql from '../sql/payment-status.ts'
import { lockPayment, type Payment } from '../sql/payments.ts'
import { applyDecision, capture, fail } from './apply-decision.ts'
import { isRepeatable, nextCheck } from './check-schedule.ts'
import { type Decision, judge, NOTHING } from './judge.ts'
import { createRepeat, repeatReference, repeatTransactions } from './repeat-payments.ts'
import { type Settlement, type SettlementTrigger, withoutCredit } from './settlement.ts'

/**
 * Applies the provider's status to a payment, in one transaction. `source`: the attempt that the status was fetched from; left
 * out where it concerns the account of the payment, whichever that is.
 */
export function settlePayment(
  app: App,
  reference: string,
  providerStatus: ProviderStatus,
  trigger: SettlementTrigger,
  source?: StatusSource,
): Promise<Settlement> {
  return app.db.tx('platform', async (tx) => {
    const found = await lockPayment(tx, reference)
    if (!found) throw new ApiError('not_found')
    const locked = source ? await paymentAt(tx, found, source, providerStatus) : found
    if (!locked)
      return settleElsewhere(app, tx, found, present(source, 'it has a source'), providerStatus, trigger)
    const reversed = await findReversed(tx, locked, providerStatus)
    const payment = reversed ?? locked
    await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
    const decision = reversed ? await decide(app, tx, payment, providerStatus) : NOTHING
    // Only the sweeper reschedules the next check; webhooks and manual checks leave it alone.
    if (trigger === 'sweep') await reschedule(tx, payment, decision)
    const settlement = await applyDecision(app, tx, payment, decision, trigger)
    if (providerStatus.status === 'paid') await settleRepeats(app, tx, reference, providerStatus, trigger)
    return settlement
  })
}

export type StatusSource = Pick<Attempt, 'rail' | 'account' | 'providerRef'>

/** The payment, if the status concerns its account. An open payment that is paid at another account moves to that account. */
async function paymentAt(
  tx: Tx,
  payment: Payment,
  source: StatusSource,
  providerStatus: ProviderStatus,
): Promise<Payment | null> {
  if (isAccountOf(payment, source)) return payment
  const { status, reversedAt, decidedAt, reference } = payment
  const isOpen = status !== 'settled' && status !== 'review' && reversedAt === null && decidedAt === null
  if (!isOpen || providerStatus.status !== 'paid') return null
  await moveToAccount(tx, reference, source)
  return { ...payment, ...source }
}

/**
 * Applies the status of another account than that of the payment. A payment there is a repeat: the payer paid twice. All other
 * statuses decide nothing, because the payer was sent to the account of the payment.
 */
async function settleElsewhere(
  app: App,
  tx: Tx,
  payment: Payment,
  source: StatusSource,
  providerStatus: ProviderStatus,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const unchanged = await withoutCredit(tx, payment, payment.status, false)
  if (providerStatus.status === 'reversed') {
    const repeat = await lockPayment(
      tx,
      repeatReference(payment.reference, transactionAt(source, providerStatus)),
    )
    if (!repeat) return unchanged
    const decision = await decide(app, tx, repeat, providerStatus)
    const { changed } = await applyDecision(app, tx, repeat, decision, trigger)
    return { ...unchanged, changed }
  }
  if (providerStatus.status !== 'paid') return unchanged
  const origin = { ...payment, ...source }
  let settlement = unchanged
  for (const each of [providerStatus, ...(providerStatus.others ?? [])]) {
    if (await isKnownRepeat(tx, origin, each)) continue
    const transactionId = transactionAt(source, each)
    const repeat = await createRepeat(tx, origin, { ...each, transactionId })
    if (!repeat) continue
    const decision = await decide(app, tx, repeat, { status: 'paid', ...each, reference: null })
    const { creditedMinor, balanceMinor } = await applyDecision(app, tx, repeat, decision, trigger)
    const sum = settlement.creditedMinor + creditedMinor
    settlement = { status: payment.status, creditedMinor: sum, balanceMinor, changed: true }
  }
  return settlement
}

/** A status can name the transaction that an earlier one did not name, or the reverse: both are the same payment. */
async function isKnownRepeat(
  tx: Tx,
  payment: Payment,
  { transactionId }: { transactionId: string | null },
): Promise<boolean> {
  const { rail, account } = payment
  return (await repeatsOf(tx, payment)).some(
    (each) =>
      each.rail === rail &&
      each.account === account &&
      (transactionId === null || each.transactionId === null || each.transactionId === transactionId),
  )
}

/** M-Pesa has one payment per prompt and reports no transaction. */
const transactionAt = (
  { rail, account }: StatusSource,
  { transactionId }: { transactionId: string | null },
): string => transactionId ?? `${rail} ${account}`

/**
 * A reversal may concern a repeat of the payment instead of the payment itself. Null: that repeat was never credited, so
 * there is nothing to take back.
 */
async function findReversed(
  tx: Tx,
  payment: Payment,
  providerStatus: ProviderStatus,
): Promise<Payment | null> {
  if (providerStatus.status !== 'reversed' || !providerStatus.transactionId || !payment.transactionId)
    return payment
  if (providerStatus.transactionId === payment.transactionId) return payment
  const repeat = repeatReference(payment.reference, providerStatus.transactionId)
  return (await lockPayment(tx, repeat)) ?? null
}

/** A payer who paid twice under one reference made two payments. The second is credited or reviewed like any other. */
async function settleRepeats(
  app: App,
  tx: Tx,
  reference: string,
  paid: Extract<ProviderStatus, { status: 'paid' }>,
  trigger: SettlementTrigger,
): Promise<void> {
  const payment = await lockPayment(tx, reference)
  // Where one reference has several transactions, the only paid one may be a repeat: the first was returned.
  if (!payment || !(paid.others?.length || isRepeatable(payment))) return
  for (const transaction of repeatTransactions(payment, paid)) {
    const repeat = await createRepeat(tx, payment, transaction)
    if (!repeat) continue
    const decision = await decide(app, tx, repeat, { status: 'paid', reference: null, ...transaction })
    await applyDecision(app, tx, repeat, decision, trigger)
  }
}

/**
 * Settles a payment that was created because it was paid, in the transaction of its creation. `unverified` is the reason for a
 * review in place of a credit.
 */
export async function settleReceived(
  app: App,
  tx: Tx,
  payment: Payment,
  paid: Extract<ProviderStatus, { status: 'paid' }>,
  { trigger, unverified }: { trigger: SettlementTrigger; unverified: string | null },
): Promise<Settlement> {
  const { transactionId, amountMinor } = paid
  const decision: Decision =
    unverified === null
      ? await decide(app, tx, payment, paid)
      : { do: 'review', reason: unverified, transactionId, saidMinor: amountMinor }
  return applyDecision(app, tx, payment, decision, trigger)
}

/** Puts a pending payment under review for a reason other than the provider's status. */
export function sendToReview(app: App, reference: string, reason: string): Promise<Settlement> {
  return app.db.tx('platform', async (tx) => {
    const payment = await lockPayment(tx, reference)
    if (!payment) throw new ApiError('not_found')
    if (payment.status !== 'pending') return withoutCredit(tx, payment, payment.status, false)
    const decision: Decision = { do: 'review', reason, transactionId: null, saidMinor: null }
    const settlement = await applyDecision(app, tx, payment, decision, 'verify')
    return settlement
  })
}

/**
 * Credits a payment under review, by decision of staff. The maximum is the amount that the provider reported, else the
 * expected amount; staff credit more as an adjustment.
 */
export async function creditReviewed(
  app: App,
  tx: Tx,
  payment: Payment,
  requestedMinor?: bigint,
): Promise<Settlement> {
  assert(payment.status === 'review', 'staff decide only payments under review')
  const mostMinor = payment.saidMinor || payment.amountMinor
  const amountMinor = requestedMinor ?? reviewedMinor(payment)
  if (amountMinor > mostMinor)
    throw invalidFields({
      path: 'amountMinor',
      message: `must be at most ${mostMinor}, the amount received. Credit more as an adjustment.`,
    })
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  const { transactionId } = payment
  if (transactionId !== null && (await isTransactionUsed(tx, payment, transactionId)))
    throw new ApiError('transaction_used')
  if ((await shareOrg(tx, payment.orgId)).currency !== payment.currency)
    throw new ApiError('payment_not_in_review', {
      error:
        'The currency of the wallet has changed. Reject this payment and credit its value as an adjustment.',
    })
  const settlement = await capture(
    app,
    tx,
    { ...payment, amountMinor },
    { transactionId, card: null, feeMinor: null },
  )
  await sql.markDecided(tx, payment.reference)
  return settlement
}

/** The amount unless staff name one. A bill is paid by its exact amount; staff return any excess as an adjustment. */
export function reviewedMinor({ saidMinor, amountMinor, purpose }: Payment): bigint {
  const mostMinor = saidMinor || amountMinor
  return purpose !== 'topup' && mostMinor > amountMinor ? amountMinor : mostMinor
}

/** Rejects a payment under review: it is never credited. */
export async function rejectReviewed(app: App, tx: Tx, payment: Payment): Promise<Settlement> {
  assert(payment.status === 'review', 'staff decide only payments under review')
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  await fail(app, tx, payment, 'We reviewed this payment and could not credit it.')
  await sql.markDecided(tx, payment.reference)
  return withoutCredit(tx, payment, 'failed', true)
}

async function decide(app: App, tx: Tx, payment: Payment, providerStatus: ProviderStatus): Promise<Decision> {
  const paid = providerStatus.status === 'paid' ? providerStatus.transactionId : null
  return judge(payment, providerStatus, {
    now: tx.now,
    production: app.config.environment === 'production',
    isLast: nextCheck(payment, tx.now, 0) === null,
    walletCurrency:
      providerStatus.status === 'paid' ? (await shareOrg(tx, payment.orgId)).currency : payment.currency,
    isTransactionUsed: paid !== null && (await isTransactionUsed(tx, payment, paid)),
  })
}

/** Settlement and review end the checks themselves. */
async function reschedule(tx: Tx, payment: Payment, decision: Decision): Promise<void> {
  const status = decision.do === 'fail' ? 'failed' : decision.do === 'expire' ? 'expired' : payment.status
  await sql.setNextCheck(tx, payment.reference, nextCheck({ ...payment, status }, tx.now, Math.random()))
}

/** Serialises concurrent payments that claim the same provider transaction. */
async function isTransactionUsed(tx: Tx, payment: Payment, transactionId: string): Promise<boolean> {
  await tx.lock(`payment ${payment.rail} ${payment.mode} ${transactionId}`)
  return sql.isTransactionUsed(tx, payment, transactionId)
}
