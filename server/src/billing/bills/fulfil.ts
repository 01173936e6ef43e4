// What a paid bill does: its amount leaves the wallet, the subscription becomes what was paid for, and the invoice says so.
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
import { type ApplyOptions, applyEffect, endSubscription } from '../subscriptions/lifecycle.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { type BillPayment, type BillSettlement, REPLACED_REASON } from './bill-payment.ts'
import { type Bill, markPaid } from './bills.ts'
import { receiptMail } from './receipt-mails.ts'

/**
 * Takes the amount and does what it was paid for. Null when the wallet holds less: then nothing has happened. The bill must
 * be welcome, and its organisation held.
 */
export async function fulfilBill(
  app: App,
  tx: Tx,
  { money, bill, subscription, live }: BillSettlement,
): Promise<InvoiceId | null> {
  const { orgId, amountMinor, kind } = bill
  const cause = `bill ${bill.id}`
  const ref = money.reference ?? bill.id
  const taken = await debit(app, tx, {
    ...{ orgId, amountMinor, source: 'subscription', ref, cause, account: 'subscriptions' },
  })
  if (taken.postedMinor === 0n) return null
  if (kind === 'checkout' && live) await endSubscription(app, tx, live, REPLACED_REASON)
  const { effect, lines } =
    kind === 'checkout'
      ? quoteStartNow(bill, tx.now)
      : { ...bill, effect: effectNow(bill, subscription, tx.now) }
  const after = await applyEffect(app, tx, subscription, effect, cause, applyOptionsOf(bill))
  const invoiceId = await recordInvoice(app, tx, bill, money, lines)
  await markPaid(tx, bill, invoiceId)
  await sendReceipt(app, tx, { money, bill, subscription: after, live }, invoiceId)
  const { planCode, interval, seats } = after
  const { reference } = money
  await record(tx, {
    ...{ orgId, actor: { kind: 'system' }, action: 'subscription.paid', target: after.id },
    metadata: { billId: bill.id, kind, planCode, interval, seats, amountMinor, reference },
  })
  return invoiceId
}

/** Who pays a page late does not lose the time in between. */
function quoteStartNow(bill: Bill, now: Date): { effect: Effect; lines: readonly QuoteLine[] } {
  const { planCode, interval, rateCardVersion, seats: occupied } = bill.effect
  const plan = planOf(rateCardVersion, planCode, interval, bill.currency)
  // With the seats that were paid for, whoever has come or gone since.
  const paid = { isComped: false, occupied }
  const { effect, lines, chargeNowMinor } = quoteStart(plan, rateCardVersion, now, paid)
  assert(chargeNowMinor === bill.amountMinor, `${bill.id} was told the price of its rate card`)
  return { effect, lines }
}

/** A month may have begun since its price was told; a renewal always begins one. */
const effectNow = ({ kind, effect }: Bill, subscription: Subscription, now: Date): Effect =>
  kind === 'renewal' ? effect : { ...effect, allowanceMinor: allowanceChangeAt(subscription, effect, now) }

/** What is paid for is not given away; seats leave all else as it is. */
const applyOptionsOf = ({ kind }: Bill): ApplyOptions =>
  kind === 'seats' ? { keepsSchedule: true } : { isComped: false }

/** A renewal has its open invoice; all else gets one now. The tax of what was in the wallet was in what filled it. */
async function recordInvoice(
  app: App,
  tx: Tx,
  bill: Bill,
  { reference, method, mode }: BillPayment,
  lines: readonly QuoteLine[],
): Promise<InvoiceId> {
  const { orgId, currency } = bill
  if (bill.invoiceId) {
    await payInvoice(tx, bill.invoiceId, { reference, method, mode })
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
  { money, bill, subscription }: BillSettlement,
  invoiceId: InvoiceId,
) {
  const content = receiptMail(app, money, bill, subscription, invoiceId)
  if (money.email === null) await mailOwners(app, tx, bill.orgId, content)
  else await app.mail.send(tx, { to: money.email, ...content })
}
