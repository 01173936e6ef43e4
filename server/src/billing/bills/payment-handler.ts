// Handles settled, reversed, refunded and failed payments of bills. A settled payment is already in the wallet. It
// pays its bill once. If the bill was paid or abandoned before, the money stays in the wallet.
import { record } from '../../audit/audit.ts'
import { issueInvoice } from '../../invoices/invoices.ts'
import { assert, present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { CardDetails, PaymentFact, PaymentHandler } from '../../platform/payment-handler.ts'
import { storeCard } from '../cards/cards.ts'
import { abandonCheckout } from '../changes/checkout.ts'
import { isLeftToProvider } from '../changes/pay-change.ts'
import { recordRefund } from '../subscriptions/lifecycle.ts'
import { paidForPeriod } from '../subscriptions/subscription-plan.ts'
import {
  findLiveSubscription,
  lockOrg,
  lockSubscription,
  type Subscription,
} from '../subscriptions/subscriptions.ts'
import { type BillSettlement, canFulfil } from './bill-payment.ts'
import { abandonBill, type Bill, lockBill, readBillOutcome, setReason } from './bills.ts'
import { fulfilBill } from './fulfil.ts'
import { isPaidFromWallet } from './pay-from-wallet.ts'
import { keptInWalletMail } from './receipt-mails.ts'
import { endReversedPlan, refundPerPeriod } from './reversal.ts'

export const billPaymentHandler: PaymentHandler<App> = {
  source: 'subscription',

  async lock(tx, { orgId }) {
    await lockOrg(tx, orgId)
  },

  async onSettled(app, tx, payment, card) {
    const bill = await billOf(tx, payment)
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    const live = await findLiveSubscription(tx, bill.orgId)
    const settlement = { payment: { ...payment, method: methodOf(card) }, bill, subscription, live }
    const outcome = canFulfil(settlement, tx.now)
      ? await fulfilPaidBill(app, tx, settlement)
      : await keepInWallet(app, tx, { payment, bill, card })
    // A charged card is stored already. A card that paid on a page is new.
    if (card && payment.cardId === null) await storeCard(app, tx, payment, card)
    return outcome
  },

  async onReversed(app, tx, payment, shortMinor) {
    if (payment.billId === null) return endPlanPaidByTopup(app, tx, payment, shortMinor)
    const bill = await billOf(tx, payment)
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    // Money that stayed in the wallet was debited there. Only the payment that bought the current period ends the
    // plan.
    if (shortMinor === 0n || !(await paidCurrentPeriod(tx, bill, subscription, payment))) return
    await endReversedPlan(app, tx, subscription, {
      ...{ reference: payment.reference, shortMinor },
      reason: 'Its payment was reversed, and the wallet does not cover it.',
    })
  },

  async onRefunded(_app, tx, payment, amountMinor) {
    const bill = await billOf(tx, payment)
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    if (await paidCurrentPeriod(tx, bill, subscription, payment))
      await recordRefund(tx, subscription, refundPerPeriod(amountMinor, bill, subscription))
  },

  async onFailed(app, tx, payment, reason) {
    const bill = await billOf(tx, payment)
    if (bill.status !== 'open') return
    if (bill.kind === 'checkout') return abandonCheckout(app, tx, bill, reason)
    if (bill.kind !== 'renewal' && isLeftToProvider(bill, tx.now)) return abandonBill(tx, bill, reason)
    // A caller is waiting and may try another card.
    await setReason(tx, bill, reason)
  },
}

const billOf = async (tx: Tx, { billId, reference }: PaymentFact): Promise<Bill> =>
  present(await lockBill(tx, billId ?? ''), `${reference} pays a bill`)

/** Whether this payment bought the current period, directly or through the credit for a plan that it bought. */
async function paidCurrentPeriod(
  tx: Tx,
  { id, effect }: Bill,
  { status }: Subscription,
  { reference }: PaymentFact,
): Promise<boolean> {
  if (status === 'canceled' || effect.periodEnd <= tx.now) return false
  return (await readBillOutcome(tx, id))?.paidBy === reference
}

/** A reversed top-up that was already spent. It ends the plan if the wallet paid for the plan. */
async function endPlanPaidByTopup(app: App, tx: Tx, { orgId, reference }: PaymentFact, shortMinor: bigint) {
  const live = await findLiveSubscription(tx, orgId)
  if (shortMinor === 0n || !live || !isPaidFromWallet(live.currency)) return
  const subscription = await lockSubscription(tx, live.id)
  if (paidForPeriod(subscription) === 0n || subscription.periodEnd <= tx.now) return
  const reason = 'A top-up that paid for it was reversed, and the wallet does not cover it.'
  await endReversedPlan(app, tx, subscription, { reference, shortMinor, reason })
}

type PaidBill = {
  readonly payment: PaymentFact
  readonly bill: Bill
  readonly card: CardDetails | null
}
async function fulfilPaidBill(app: App, tx: Tx, settlement: BillSettlement) {
  const invoiceId = await fulfilBill(app, tx, settlement)
  assert(invoiceId, `${settlement.payment.reference} credited the amount that ${settlement.bill.id} debits`)
  return { keptMinor: 0n, invoiceId }
}

/** Keeps a payment that its bill no longer needs: the customer does not pay twice and loses nothing. */
async function keepInWallet(app: App, tx: Tx, { payment, bill, card }: PaidBill) {
  const { orgId, reference, currency, amountMinor, mode } = payment
  const reason = 'Another payment or change came first.'
  if (bill.kind === 'checkout') await abandonCheckout(app, tx, bill, reason)
  else if (bill.kind !== 'renewal') await abandonBill(tx, bill, reason)
  const { id: invoiceId } = await issueInvoice(app, tx, {
    ...{ orgId, subject: 'credit', cause: reference, currency, mode, reference, status: 'paid' },
    lines: [{ description: 'Added to your wallet', quantity: 1, amountMinor }],
    method: methodOf(card),
  })
  await app.mail.send(tx, { to: payment.email, ...keptInWalletMail(app, payment, invoiceId) })
  await record(tx, {
    ...{ orgId, actor: { kind: 'system' }, action: 'subscription.kept', target: bill.subscriptionId },
    metadata: { billId: bill.id, amountMinor, reference },
  })
  return { keptMinor: amountMinor, invoiceId }
}

const methodOf = (card: CardDetails | null): string =>
  card ? `${card.brand} ending in ${card.last4}` : 'Card'
