// Fulfils a paid bill: debits the wallet, applies the effect to the subscription, and pays or issues the invoice.
import { record } from '../../audit/audit.ts'
import { type InvoiceId, issueInvoice, payInvoice } from '../../invoices/invoices.ts'
import { assert } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { debit } from '../../wallet/wallet.ts'
import { planOf } from '../plans/plans.ts'
import { allowanceChangeAt } from '../quotes/allowance.ts'
import type { Effect } from '../quotes/effect.ts'
import { quoteStart } from '../quotes/quote.ts'
import type { QuoteLine } from '../quotes/quote-lines.ts'
import { mailOwners } from '../renewals/mails.ts'
import { applyEffect, type EffectOptions, endSubscription } from '../subscriptions/lifecycle.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { type BillPayment, type BillSettlement, REPLACED_REASON } from './bill-payment.ts'
import { type Bill, markPaid } from './bills.ts'
import { receiptMail } from './receipt-mails.ts'

/**
 * Debits the wallet and applies the bill. Returns null and changes nothing if the balance is too low. Requires
 * `canFulfil` and the lock of the organisation.
 */
export async function fulfilBill(
  app: App,
  tx: Tx,
  { payment, bill, subscription, live }: BillSettlement,
): Promise<InvoiceId | null> {
  const { orgId, amountMinor, kind } = bill
  const cause = `bill ${bill.id}`
  const ref = payment.reference ?? bill.id
  const debited = await debit(app, tx, {
    ...{ orgId, amountMinor, source: 'subscription', ref, cause, account: 'subscriptions' },
  })
  if (debited.postedMinor === 0n) return null
  if (kind === 'checkout' && live) await endSubscription(app, tx, live, REPLACED_REASON)
  const { effect, lines } =
    kind === 'checkout'
      ? quoteStartNow(bill, tx.now)
      : { ...bill, effect: effectNow(bill, subscription, tx.now) }
  const after = await applyEffect(app, tx, subscription, effect, cause, effectOptionsOf(bill))
  const invoiceId = await recordInvoice(app, tx, bill, payment, lines)
  await markPaid(tx, bill, invoiceId)
  await sendReceipt(app, tx, { payment, bill, subscription: after, live }, invoiceId)
  const { planCode, interval, seats } = after
  const { reference } = payment
  await record(tx, {
    ...{ orgId, actor: { kind: 'system' }, action: 'subscription.paid', target: after.id },
    metadata: { billId: bill.id, kind, planCode, interval, seats, amountMinor, reference },
  })
  return invoiceId
}

/** A late payment does not shorten the first period: it starts now. */
function quoteStartNow(bill: Bill, now: Date): { effect: Effect; lines: readonly QuoteLine[] } {
  const { planCode, interval, rateCardVersion, seats: occupied } = bill.effect
  const plan = planOf(rateCardVersion, planCode, interval, bill.currency)
  // The paid seats count, even if members joined or left since.
  const paid = { isComped: false, occupied }
  const { effect, lines, chargeNowMinor } = quoteStart(plan, rateCardVersion, now, paid)
  assert(chargeNowMinor === bill.amountMinor, `${bill.id} has the price of its rate card`)
  return { effect, lines }
}

/** A new month may have started since the quote. A renewal always starts one. */
const effectNow = ({ kind, effect }: Bill, subscription: Subscription, now: Date): Effect =>
  kind === 'renewal' ? effect : { ...effect, allowanceMinor: allowanceChangeAt(subscription, effect, now) }

/** A paid plan is no longer comped. A change of seats leaves all else unchanged. */
const effectOptionsOf = ({ kind }: Bill): EffectOptions =>
  kind === 'seats' ? { keepsSchedule: true } : { isComped: false }

/**
 * A renewal has an open invoice; other bills get one now. Money from the wallet was taxed when it was topped up.
 */
async function recordInvoice(
  app: App,
  tx: Tx,
  bill: Bill,
  { reference, method, mode }: BillPayment,
  lines: readonly QuoteLine[],
): Promise<InvoiceId> {
  const { orgId, currency } = bill
  if (bill.invoiceId) {
    await payInvoice(app, tx, bill.invoiceId, { reference, method, mode })
    return bill.invoiceId
  }
  const { id } = await issueInvoice(app, tx, {
    ...{ orgId, subject: bill.kind, cause: bill.id, currency, lines, mode, reference, method },
    status: 'paid',
    isTaxed: reference !== null,
  })
  return id
}

async function sendReceipt(
  app: App,
  tx: Tx,
  { payment, bill, subscription }: BillSettlement,
  invoiceId: InvoiceId,
) {
  const content = receiptMail(app, payment, bill, subscription, invoiceId)
  if (payment.email === null) await mailOwners(app, tx, bill.orgId, content)
  else await app.mail.send(tx, { to: payment.email, ...content })
}
