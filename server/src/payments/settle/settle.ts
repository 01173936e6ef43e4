// Settlement: the only place that credits a payment. Webhooks, redirects, verification, the sweeper and staff all call it
// with the provider's status. A payment is credited once, however often and concurrently it is called.
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

/** Applies the provider's status to a payment, in one transaction. */
export function settlePayment(
  app: App,
  reference: string,
  providerStatus: ProviderStatus,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  return app.db.tx('platform', async (tx) => {
    const locked = await lockPayment(tx, reference)
    if (!locked) throw new ApiError('not_found')
    const reversed = await findReversed(tx, locked, providerStatus)
    const payment = reversed ?? locked
    await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
    const decision = reversed ? await decide(app, tx, payment, providerStatus) : NOTHING
    // Only the sweeper reschedules the next check; webhooks and manual checks leave it alone.
    if (trigger === 'sweep') await reschedule(tx, payment, decision)
    const settlement = await applyDecision(app, tx, payment, decision, trigger)
    reportAfterCommit(app, tx, payment, decision, trigger)
    if (providerStatus.status === 'paid') await settleRepeats(app, tx, reference, providerStatus, trigger)
    return settlement
  })
}

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

/** Puts a pending payment under review for a reason other than the provider's status. */
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
  // A bill is paid by its exact amount. Staff return any excess as an adjustment.
  const { amountMinor: billedMinor, purpose } = payment
  const isEnough = purpose !== 'topup' && mostMinor > billedMinor
  const amountMinor = requestedMinor ?? (isEnough ? billedMinor : mostMinor)
  if (amountMinor > mostMinor)
    throw invalidFields({
      path: 'amountMinor',
      message: `must be at most ${mostMinor}, the amount received. Credit more as an adjustment.`,
    })
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  const { transactionId } = payment
  if (transactionId !== null && (await isTransactionUsed(tx, payment, transactionId)))
    throw new ApiError('transaction_used')
  if ((await lockCurrency(tx, payment.orgId)) !== payment.currency)
    throw new ApiError('payment_not_in_review', {
      error:
        'The currency of the wallet has changed. Reject this payment and credit its value as an adjustment.',
    })
  const settlement = await settle(app, tx, { ...payment, amountMinor }, { transactionId, card: null })
  await sql.markDecided(tx, payment.reference)
  return settlement
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
      providerStatus.status === 'paid' ? await lockCurrency(tx, payment.orgId) : payment.currency,
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
        'Nothing was credited. Review it, then credit or reject it.',
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

const CLOSED_ORG = [
  'The organisation was closed before this payment was decided. The money is in its wallet and cannot be spent.',
  'Find the payer and return it.',
]

type Capture = { readonly transactionId: string | null; readonly card: CardDetails | null }

/** Credits the wallet first, whatever the purpose: all money enters through the wallet. */
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
  assert(moved.balances.currency === payment.currency, `${reference} has the currency of its wallet`)
  const { keptMinor, invoiceId } = handler
    ? await handler.onSettled(app, tx, payment, card)
    : await issueTopupReceipt(app, tx, payment, moved.balances.balanceMinor)
  // Money that left the wallet at once does not change the low-balance state.
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
    await alertStaff(app, tx, payment, 'A payment arrived for a closed organisation', CLOSED_ORG)
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

/** Logs and counts the decision once it is committed. */
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
    if (decision.do === 'note') app.log.warn(fields, decision.event)
    else if (decision.do === 'review')
      app.log.warn({ ...fields, reason: decision.reason }, 'payments.settle.review')
    else app.log.info(fields, `payments.settle.${OUTCOMES[decision.do]}`)
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
