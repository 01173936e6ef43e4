// Applies a decision to a locked payment, in the transaction of the settlement.
import { emit } from '../../hooks/hooks.ts'
import { issueInvoice } from '../../invoices/invoices.ts'
import { assert } from '../../kernel/assert.ts'
import type { UserId } from '../../kernel/ids.ts'
import { isOpenOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { CardDetails } from '../../platform/payment-handler.ts'
import { notify } from '../../push/push.ts'
import { credit, lockLowBalanceState, readBalances, updateLowBalanceState } from '../../wallet/wallet.ts'
import { channelByName } from '../channels.ts'
import { mayBeElsewhere } from '../sql/payment-attempts.ts'
import * as sql from '../sql/payment-status.ts'
import type { Payment } from '../sql/payments.ts'
import { checkAfterSettling } from './check-schedule.ts'
import { mailPayer, receiptMail } from './customer-mail.ts'
import type { Decision } from './judge.ts'
import { reversePayment } from './returns/reverse.ts'
import {
  REASON_CHARACTERS_MAX,
  recordAudit,
  type Settlement,
  type SettlementTrigger,
  withoutCredit,
} from './settlement.ts'
import { alertStaff } from './staff-alerts.ts'

export async function applyDecision(
  app: App,
  tx: Tx,
  payment: Payment,
  decision: Decision,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const settlement = await apply(app, tx, payment, decision, trigger)
  reportAfterCommit(app, tx, payment, decision, trigger)
  return settlement
}

async function apply(
  app: App,
  tx: Tx,
  payment: Payment,
  decision: Decision,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const { reference } = payment
  switch (decision.do) {
    case 'settle': {
      const settlement = await capture(app, tx, payment, decision)
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

export async function fail(app: App, tx: Tx, payment: Payment, why: string): Promise<void> {
  const reason = why.slice(0, REASON_CHARACTERS_MAX)
  await sql.markFailed(tx, payment.reference, reason)
  await app.paymentHandlers[payment.purpose]?.onFailed(app, tx, payment, reason)
}

const CLOSED_ORG = [
  'The organisation was closed before this payment was decided. The money is in its wallet and cannot be spent.',
  'Find the payer and return it.',
]

type Capture = Pick<Extract<Decision, { do: 'settle' }>, 'transactionId' | 'card' | 'feeMinor'>

/** Credits the wallet first, whatever the purpose: all money enters through the wallet. */
export async function capture(
  app: App,
  tx: Tx,
  payment: Payment,
  { transactionId, card, feeMinor }: Capture,
): Promise<Settlement> {
  const { reference, orgId, amountMinor, purpose } = payment
  const rail = payment.mode === 'mock' ? 'mock' : payment.rail
  const handler = app.paymentHandlers[purpose]
  const low = handler ? await lockLowBalanceState(tx, orgId) : null
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
    : await issueTopupReceipt(app, tx, payment, moved.balances.balanceMinor, card)
  // Money that left the wallet at once does not change the low-balance state.
  if (low && keptMinor === 0n) await updateLowBalanceState(tx, orgId, low)
  const nextCheckAt = checkAfterSettling(payment, tx.now, await mayBeElsewhere(tx, payment))
  const captured = {
    capturedMinor: amountMinor,
    feeMinor: feeMinor !== null && feeMinor >= 0n ? feeMinor : null,
    transactionId,
    entryId: moved.entryId,
    invoiceId,
    nextCheckAt,
  }
  await sql.markSettled(tx, reference, captured)
  await notifyPayer(tx, payment)
  if (!(await isOpenOrg(tx, orgId)))
    await alertStaff(app, tx, payment, 'A payment arrived for a closed organisation', CLOSED_ORG)
  const { balanceMinor } = await readBalances(tx, orgId)
  return { status: 'settled', creditedMinor: keptMinor, balanceMinor, changed: true }
}

/** A charge that only verifies a card is no payment. */
async function notifyPayer(tx: Tx, { reference, orgId, userId, purpose, amountMinor, currency }: Payment) {
  if (purpose === 'card') return
  const data = {
    kind: 'paid',
    reference,
    purpose: purpose === 'topup' ? 'topup' : 'bill',
    amountMinor,
    currency,
  } as const
  await notify(tx, { orgId, userId: userId as UserId, data })
}

async function issueTopupReceipt(
  app: App,
  tx: Tx,
  payment: Payment,
  balanceMinor: bigint,
  card: CardDetails | null,
) {
  const { reference, orgId, amountMinor, currency, channel, mode } = payment
  const isAutomatic = payment.cardId !== null
  const cardName = card && isAutomatic ? `${card.brand} ending in ${card.last4}` : null
  const method = cardName ?? channelByName(channel).label
  const invoice = await issueInvoice(app, tx, {
    orgId,
    subject: 'topup',
    cause: reference,
    currency,
    lines: [
      { description: isAutomatic ? 'Automatic wallet top-up' : 'Wallet top-up', quantity: 1, amountMinor },
    ],
    mode,
    status: 'paid',
    reference,
    method,
  })
  const receipt = { payment, method, invoice, balanceMinor, at: tx.now }
  await mailPayer(app, tx, payment, receiptMail(app, receipt))
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
    if (decision.do === 'note')
      app.log.warn({ ...fields, contradiction: decision.contradiction }, 'payments.settle.contradicted')
    else if (decision.do === 'review')
      app.log.warn({ ...fields, reason: decision.reason }, 'payments.settle.review')
    else app.log.info({ ...fields, outcome: OUTCOMES[decision.do] }, 'payments.settle.decided')
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
