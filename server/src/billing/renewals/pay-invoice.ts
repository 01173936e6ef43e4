// Pays an open invoice before the next scheduled attempt: with the stored cards, or on the page of the provider.
import { record } from '../../audit/audit.ts'
import { invoiceStatus } from '../../invoices/invoices.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { openPaymentsOf, type Payment, reconcileCharge, startCardPayment } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { type Bill, lockBill } from '../bills/bills.ts'
import { abandonCharge, type CollectResult, collectBill } from '../bills/collect.ts'
import { isPaidFromWallet, unpaidError } from '../bills/pay-from-wallet.ts'
import { requireBelowDeclineLimit } from '../cards/decline-limit.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'
import { ATTEMPT_LOCK } from './dunning.ts'
import { endOwnerAttempt, findOpenBill, readRetryState, startOwnerAttempt } from './renewals-sql.ts'

export type InvoicePaymentResult =
  | { readonly paid: true; readonly invoiceId: string }
  | { readonly authorizationUrl: string; readonly reference: string }

/** A decline here does not count as a scheduled attempt. */
export async function payOpenInvoice(
  app: App,
  actor: Actor,
  { invoiceId, hosted, ip }: { invoiceId: string; hosted: boolean; ip: string },
  once: Once,
): Promise<CommittedReply<InvoicePaymentResult>> {
  const { orgId } = actor
  const { bill, attempt } = await app.db.tx(orgId, (tx) => claimBill(app, tx, actor, { invoiceId, hosted }))
  try {
    const result = hosted ? await openPage(app, actor, bill, once) : await payNow(app, bill, attempt)
    return await once.commit(orgId, async (tx) => {
      await endOwnerAttempt(tx, bill.id)
      const metadata = { billId: bill.id, hosted }
      await record(tx, { orgId, actor, ip, action: 'invoices.pay', target: invoiceId, metadata })
      return result === 'paid' ? { paid: true as const, invoiceId } : result
    })
  } catch (error) {
    await app.db.tx(orgId, (tx) => endOwnerAttempt(tx, bill.id))
    throw error
  }
}

type ClaimedBill = { readonly bill: Bill; readonly attempt: number }

/** Locks the bill against other attempts. */
async function claimBill(
  app: App,
  tx: Tx,
  { orgId }: Actor,
  { invoiceId, hosted }: { invoiceId: string; hosted: boolean },
): Promise<ClaimedBill> {
  await lockOrg(tx, orgId)
  const status = await invoiceStatus(tx, orgId, invoiceId)
  if (!status) throw new ApiError('not_found')
  const billId = await findOpenBill(tx, orgId, invoiceId)
  const bill = billId && (await lockBill(tx, billId))
  if (status !== 'open' || bill?.status !== 'open') throw new ApiError('invoice_not_open', { status })
  const { busyUntil } = await readRetryState(tx, bill.id)
  if (busyUntil !== null && busyUntil > tx.now) throw new ApiError('change_in_progress')
  if (!hosted) await requireChargeable(app, tx, bill)
  return { bill, attempt: await startOwnerAttempt(tx, bill.id, after(tx.now, ATTEMPT_LOCK)) }
}

/**
 * A payment under review may still pay the invoice. A customer who does not want to wait can pay on a page; a
 * double payment stays in their wallet.
 */
async function requireChargeable(app: App, tx: Tx, { id, orgId, currency }: Bill): Promise<void> {
  if (isPaidFromWallet(currency)) return
  if ((await openPaymentsOf(tx, id)).some(({ status }) => status === 'review'))
    throw new ApiError('change_in_progress', {
      error:
        'A payment of this invoice has arrived and is under review. Wait for the result, or pay on a page with `hosted`; a double payment is credited to your wallet.',
    })
  await requireBelowDeclineLimit(app, tx, orgId)
}

async function payNow(app: App, bill: Bill, attempt: number): Promise<'paid'> {
  const collected = await collectBill(app, bill, attempt, 'owner')
  if (collected.outcome === 'paid') return 'paid'
  throw refusal(bill, collected)
}

function refusal(bill: Bill, collected: Exclude<CollectResult, { outcome: 'paid' }>): ApiError {
  switch (collected.outcome) {
    case 'no_card':
      return new ApiError('no_payment_method')
    case 'declined':
      return unpaidError(bill, collected.reason)
    case 'challenged': {
      const { authorizationUrl, reference } = collected
      return new ApiError('card_challenged', { authorizationUrl, reference })
    }
    case 'pending':
      return new ApiError('rail_unavailable', { reference: collected.reference })
  }
}

/** Reconciles undecided payments first: a second payment beside one of them could pay twice. */
async function openPage(
  app: App,
  actor: Actor,
  bill: Bill,
  once: Once,
): Promise<InvoicePaymentResult | 'paid'> {
  const { orgId, id: billId, amountMinor, currency } = bill
  const reference = `sb${once.id.slice('idem_'.length)}`
  const undecided = await app.db.tx(orgId, (tx) => openPaymentsOf(tx, billId))
  for (const earlier of undecided) {
    if (earlier.status === 'review' || earlier.reference === reference) continue
    const end = await concludePayment(app, bill, earlier)
    if (end) return end
  }
  const { userId, email, org } = actor
  const page = await startCardPayment(app, {
    ...{ reference, purpose: 'bill', billId, orgId, userId, orgName: org.name, email, amountMinor, currency },
    description: 'Cowrie plan renewal',
  })
  return { authorizationUrl: page.authorizationUrl, reference: page.reference }
}

/**
 * Null if the earlier payment can no longer succeed. Returns an open page again; abandons a charge that waits for
 * the bank.
 */
async function concludePayment(
  app: App,
  bill: Bill,
  earlier: Payment,
): Promise<InvoicePaymentResult | 'paid' | null> {
  const { reference, cardId } = earlier
  const reconciled = await reconcileCharge(app, { orgId: bill.orgId, reference })
  if (reconciled.outcome === 'challenged' && cardId === null)
    return { authorizationUrl: reconciled.authorizationUrl, reference }
  const end =
    reconciled.outcome === 'challenged' ? await abandonCharge(app, bill, earlier, 'owner') : reconciled
  if (end.outcome === 'pending') throw new ApiError('rail_unavailable', { reference })
  return end.outcome === 'paid' ? 'paid' : null
}
