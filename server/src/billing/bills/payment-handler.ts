// What happens when a bill is paid, or is not. The money is in the wallet by then: it is taken from there for what it paid
// for, once, or stays the customer's where that was paid or given up before.
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
    const paying = { money: { ...payment, method: methodOf(card) }, bill, subscription, live }
    const settled = canFulfil(paying, tx.now)
      ? await fulfilPaidBill(app, tx, paying)
      : await keepInWallet(app, tx, { payment, bill, card })
    // A stored card that was charged is known; one that was shown on a page is new.
    if (card && payment.cardId === null) await storeCard(app, tx, payment, card)
    return settled
  },

  async onReversed(app, tx, payment, shortMinor) {
    if (payment.billId === null) return endPlanPaidByTopup(app, tx, payment, shortMinor)
    const bill = await billOf(tx, payment)
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    // What stayed in the wallet was taken from there; only what the running period was bought with ends it.
    if (shortMinor === 0n || !(await paidCurrentPeriod(tx, bill, subscription, payment))) return
    await endReversedPlan(app, tx, subscription, {
      ...{ reference: payment.reference, shortMinor },
      reason: 'Its payment was taken back, and the wallet does not cover it.',
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
    // Somebody waits for it, and may try another card.
    await setReason(tx, bill, reason)
  },
}

const billOf = async (tx: Tx, { billId, reference }: PaymentFact): Promise<Bill> =>
  present(await lockBill(tx, billId ?? ''), `${reference} pays a bill`)

/** Whether what runs now was bought with this payment, or with what was left of what it bought. */
async function paidCurrentPeriod(
  tx: Tx,
  { id, effect }: Bill,
  { status }: Subscription,
  { reference }: PaymentFact,
): Promise<boolean> {
  if (status === 'canceled' || effect.periodEnd <= tx.now) return false
  return (await readBillOutcome(tx, id))?.paidBy === reference
}

/** A top-up that was taken back and is spent: on the plan as well, where the wallet paid for that. */
async function endPlanPaidByTopup(app: App, tx: Tx, { orgId, reference }: PaymentFact, shortMinor: bigint) {
  const live = await findLiveSubscription(tx, orgId)
  if (shortMinor === 0n || !live || !isPaidFromWallet(live.currency)) return
  const subscription = await lockSubscription(tx, live.id)
  if (paidForPeriod(subscription) === 0n || subscription.periodEnd <= tx.now) return
  const reason = 'A top-up that it was paid with was taken back, and the wallet does not cover it.'
  await endReversedPlan(app, tx, subscription, { reference, shortMinor, reason })
}

type SettledPayment = {
  readonly payment: PaymentFact
  readonly bill: Bill
  readonly card: CardDetails | null
}
async function fulfilPaidBill(app: App, tx: Tx, paying: BillSettlement) {
  const invoiceId = await fulfilBill(app, tx, paying)
  assert(invoiceId, `${paying.money.reference} has just brought what ${paying.bill.id} takes`)
  return { keptMinor: 0n, invoiceId }
}

/** Nobody pays twice, and nothing that was paid is lost. */
async function keepInWallet(app: App, tx: Tx, { payment, bill, card }: SettledPayment) {
  const { orgId, reference, currency, amountMinor, mode } = payment
  const reason = 'Something else was paid or changed before.'
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
