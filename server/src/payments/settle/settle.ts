// The one way a payment becomes money. Webhook, redirect, verify, sweep and staff all end here with what the provider
// answered to our own question, and however often and from wherever they come, a payment is credited once.
import { emit } from '../../hooks/hooks.ts'
import { issueInvoice } from '../../invoices/invoices.ts'
import { assert } from '../../kernel/assert.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { CardDetails } from '../../platform/payment-handler.ts'
import { balances, credit, keepLow, lockLow } from '../../wallet/wallet.ts'
import { channelByName } from '../channels.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import { isOrgClosed, lockCurrency } from '../sql/orgs.ts'
import * as sql from '../sql/payment-status.ts'
import { lockPayment, type Payment } from '../sql/payments.ts'
import { checkAfterSettling, nextCheck } from './check-schedule.ts'
import { receiptMail } from './customer-mail.ts'
import { type Decision, judge, NOTHING } from './judge.ts'
import { createRepeat, repeatReference, repeatTransactions } from './repeat-payments.ts'
import { reversePayment } from './returns/reverse.ts'
import {
  REASON_CHARACTERS_MAX,
  recordAudit,
  type Settlement,
  type SettlementTrigger,
  withoutCredit,
} from './settlement.ts'
import { alertStaff } from './staff-alerts.ts'

/** Applies a provider's answer to a payment, in one transaction. */
export function settlePayment(
  app: App,
  reference: string,
  providerStatus: ProviderStatus,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  return app.db.tx('platform', async (tx) => {
    const asked = await lockPayment(tx, reference)
    if (!asked) throw new ApiError('not_found')
    const reversed = await findReversed(tx, asked, providerStatus)
    const payment = reversed ?? asked
    await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
    const decision = reversed ? await decide(app, tx, payment, providerStatus) : NOTHING
    // Only the sweep moves what the sweep goes by; the others ask when they are asked.
    if (trigger === 'sweep') await reschedule(tx, payment, decision)
    const settlement = await applyDecision(app, tx, payment, decision, trigger)
    reportAfterCommit(app, tx, payment, decision, trigger)
    if (providerStatus.status === 'paid') await settleRepeats(app, tx, reference, providerStatus, trigger)
    return settlement
  })
}

/**
 * Of several payments under one reference the provider may have returned another than the first. Null: one that was never
 * credited here, so nothing has to be taken back.
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

/** A payer who paid twice under one reference has made two payments: the second is credited or reviewed like any other. */
async function settleRepeats(
  app: App,
  tx: Tx,
  reference: string,
  paid: Extract<ProviderStatus, { status: 'paid' }>,
  trigger: SettlementTrigger,
): Promise<void> {
  if (!paid.others?.length) return
  const payment = await lockPayment(tx, reference)
  for (const transaction of payment ? repeatTransactions(payment, paid) : []) {
    const repeat = payment && (await createRepeat(tx, payment, transaction))
    if (!repeat) continue
    const decision = await decide(app, tx, repeat, { status: 'paid', reference: null, ...transaction })
    await applyDecision(app, tx, repeat, decision, trigger)
    reportAfterCommit(app, tx, repeat, decision, trigger)
  }
}

/** Leaves a payment that waits to a person, for a reason that is no answer about its standing. */
export function sendToReview(app: App, reference: string, reason: string): Promise<Settlement> {
  return app.db.tx('platform', async (tx) => {
    const payment = await lockPayment(tx, reference)
    if (!payment) throw new ApiError('not_found')
    if (payment.status !== 'pending') return withoutCredit(tx, payment, payment.status, false)
    const decision: Decision = { do: 'review', reason, transactionId: null, saidMinor: null }
    const settlement = await applyDecision(app, tx, payment, decision, 'verify')
    reportAfterCommit(app, tx, payment, decision, 'verify')
    return settlement
  })
}

/**
 * Credits a payment under review, because staff found that it is owed: what came, as far as the provider has said, else what was
 * expected. More than that is no payment.
 */
export async function creditReviewed(
  app: App,
  tx: Tx,
  payment: Payment,
  wishedMinor?: bigint,
): Promise<Settlement> {
  assert(payment.status === 'review', 'only what is under review is decided by staff')
  const mostMinor = payment.saidMinor || payment.amountMinor
  // A bill is paid by its exact amount; what came beside it is given back as an adjustment.
  const { amountMinor: billedMinor, purpose } = payment
  const isEnough = purpose !== 'topup' && mostMinor > billedMinor
  const amountMinor = wishedMinor ?? (isEnough ? billedMinor : mostMinor)
  if (amountMinor > mostMinor)
    throw invalidFields({
      path: 'amountMinor',
      message: `must be at most what came, ${mostMinor}; give more as an adjustment`,
    })
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  const { transactionId } = payment
  if (transactionId !== null && (await isTransactionUsed(tx, payment, transactionId)))
    throw new ApiError('transaction_used')
  if ((await lockCurrency(tx, payment.orgId)) !== payment.currency)
    throw new ApiError('payment_not_in_review', {
      error: 'The wallet is in another currency by now; reject this payment and credit what it is worth.',
    })
  const settlement = await settle(app, tx, { ...payment, amountMinor }, { transactionId, card: null })
  await sql.markDecided(tx, payment.reference)
  return settlement
}

/** Leaves a payment under review uncredited for good. */
export async function rejectReviewed(app: App, tx: Tx, payment: Payment): Promise<Settlement> {
  assert(payment.status === 'review', 'only what is under review is decided by staff')
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  await fail(app, tx, payment, 'We looked into this payment and could not credit it.')
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
      providerStatus.status === 'paid' ? await lockCurrency(tx, payment.orgId) : payment.currency,
    isTransactionUsed: paid !== null && (await isTransactionUsed(tx, payment, paid)),
  })
}

/** Settlement and review end the asking themselves. */
async function reschedule(tx: Tx, payment: Payment, decision: Decision): Promise<void> {
  const status = decision.do === 'fail' ? 'failed' : decision.do === 'expire' ? 'expired' : payment.status
  await sql.setNextCheck(tx, payment.reference, nextCheck({ ...payment, status }, tx.now, Math.random()))
}

/** Two payments that claim one transaction at the same time are asked one after the other. */
async function isTransactionUsed(tx: Tx, payment: Payment, transactionId: string): Promise<boolean> {
  await tx.lock(`payment ${payment.rail} ${payment.mode} ${transactionId}`)
  return sql.isTransactionUsed(tx, payment, transactionId)
}

async function applyDecision(
  app: App,
  tx: Tx,
  payment: Payment,
  decision: Decision,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const { reference } = payment
  switch (decision.do) {
    case 'settle': {
      const settlement = await settle(app, tx, payment, decision)
      const { amountMinor, currency, channel, purpose, repeatOf } = payment
      const fact = { amountMinor, currency, channel, purpose, how: trigger, ...(repeatOf && { repeatOf }) }
      await recordAudit(tx, payment, 'payments.settle', fact)
      return settlement
    }
    case 'review': {
      const reason = decision.reason.slice(0, REASON_CHARACTERS_MAX)
      await sql.markReview(tx, reference, reason, decision)
      await alertStaff(app, tx, payment, 'A payment needs a review', [
        reason,
        'Nothing was credited. Look into it and credit or reject it.',
      ])
      const settlement = await withoutCredit(tx, payment, 'review', true)
      await recordAudit(tx, payment, 'payments.review', { reason, how: trigger })
      return settlement
    }
    case 'reverse':
      return reversePayment(app, tx, payment, decision.reason, trigger)
    case 'fail':
      await fail(app, tx, payment, decision.reason)
      if (decision.isReturned) await sql.markReturnedToPayer(tx, reference)
      return withoutCredit(tx, payment, 'failed', true)
    case 'expire':
      await sql.markExpired(tx, reference, decision.reason)
      await app.paymentHandlers[payment.purpose]?.onFailed(app, tx, payment, decision.reason)
      return withoutCredit(tx, payment, 'expired', true)
    default:
      return withoutCredit(tx, payment, payment.status, false)
  }
}

async function fail(app: App, tx: Tx, payment: Payment, why: string): Promise<void> {
  const reason = why.slice(0, REASON_CHARACTERS_MAX)
  await sql.markFailed(tx, payment.reference, reason)
  await app.paymentHandlers[payment.purpose]?.onFailed(app, tx, payment, reason)
}

const LATE = [
  'The organisation was closed before this payment was decided. It is in the wallet, where nobody can spend it.',
  'Find out whose it is and give it back.',
]

type Capture = { readonly transactionId: string | null; readonly card: CardDetails | null }

/** Whatever it is for, it comes into the wallet first: one way in for all money. */
async function settle(
  app: App,
  tx: Tx,
  payment: Payment,
  { transactionId, card }: Capture,
): Promise<Settlement> {
  const { reference, orgId, amountMinor, purpose } = payment
  const rail = payment.mode === 'mock' ? 'mock' : payment.rail
  const handler = app.paymentHandlers[purpose]
  const low = handler ? await lockLow(tx, orgId) : null
  const moved = await credit(app, tx, {
    orgId,
    amountMinor,
    source: handler?.source ?? 'topup',
    ref: reference,
    cause: `topup ${reference}`,
    account: `clearing:${rail}`,
  })
  assert(moved.entryId !== null, `${reference} was credited before it was settled`)
  assert(moved.balances.currency === payment.currency, `${reference} is in the currency of its wallet`)
  const { keptMinor, invoiceId } = handler
    ? await handler.onSettled(app, tx, payment, card)
    : await issueTopupReceipt(app, tx, payment, moved.balances.balanceMinor)
  // What came in for something and went out again at once is no news about the balance.
  if (low && keptMinor === 0n) await keepLow(tx, orgId, low)
  const nextCheckAt = checkAfterSettling(payment, tx.now)
  const captured = {
    capturedMinor: amountMinor,
    transactionId,
    entryId: moved.entryId,
    invoiceId,
    nextCheckAt,
  }
  await sql.markSettled(tx, reference, captured)
  if (await isOrgClosed(tx, orgId))
    await alertStaff(app, tx, payment, 'Money came for a closed organisation', LATE)
  const { balanceMinor } = await balances(tx, orgId)
  return { status: 'settled', creditedMinor: keptMinor, balanceMinor, changed: true }
}

async function issueTopupReceipt(app: App, tx: Tx, payment: Payment, balanceMinor: bigint) {
  const { reference, orgId, amountMinor, currency, channel, mode } = payment
  const invoice = await issueInvoice(app, tx, {
    orgId,
    subject: 'topup',
    cause: reference,
    currency,
    lines: [{ description: 'Wallet top-up', quantity: 1, amountMinor }],
    mode,
    status: 'paid',
    reference,
    method: channelByName(channel).label,
  })
  await app.mail.send(tx, { to: payment.email, ...receiptMail(app, payment, invoice, balanceMinor, tx.now) })
  const fact = { reference, amountMinor, creditedMinor: amountMinor, currency, channel, settledAt: tx.now }
  await emit(tx, { orgId, type: 'topup.settled', data: fact })
  return { keptMinor: amountMinor, invoiceId: invoice.id }
}

/** Once it is durable, the log and the metrics hear of it. */
function reportAfterCommit(
  app: App,
  tx: Tx,
  payment: Payment,
  decision: Decision,
  trigger: SettlementTrigger,
): void {
  if (decision.do === 'nothing') return
  const { reference, orgId, rail } = payment
  tx.afterCommit(() => {
    app.metrics.payment(rail, OUTCOMES[decision.do])
    const fields = { reference, orgId, rail, trigger }
    if (decision.do === 'note') app.log.warn(fields, decision.what)
    else if (decision.do === 'review') app.log.warn(fields, `a payment is under review: ${decision.reason}`)
    else app.log.info(fields, `a payment is ${OUTCOMES[decision.do]}`)
  })
}

const OUTCOMES = {
  note: 'contradicted',
  settle: 'settled',
  review: 'review',
  fail: 'failed',
  expire: 'expired',
  reverse: 'reversed',
} as const
